// The handler of blob alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/blob.cu"
