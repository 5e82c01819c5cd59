// Returns each request as it is, by a worker that is told the shape of its messages.
#define RINGKERNEL_ERASED
// As the worker of the library: what it is told leaves the 64 registers of 1024 threads too few.
#define RINGKERNEL_MAX_THREADS 512
#include "echo.cu"
