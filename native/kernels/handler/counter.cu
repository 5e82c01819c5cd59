// The handler of counter alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/counter.cu"
