// The handler of sparse alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/sparse.cu"
