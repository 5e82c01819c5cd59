// Returns each request as it is, by a handler that is linked with its worker.
#define RINGKERNEL_HANDLER
#include "echo.cu"
