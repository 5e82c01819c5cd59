// The handler of echo alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/echo.cu"
