// The handler of failing alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/failing.cu"
