// The handler of slow alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/slow.cu"
