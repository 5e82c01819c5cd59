// The handler of vector_add alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/vector_add.cu"
