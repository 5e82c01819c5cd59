// The handler of combine alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/combine.cu"
