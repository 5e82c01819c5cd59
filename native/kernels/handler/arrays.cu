// The handler of arrays alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/arrays.cu"
