// The handler of quoting alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/quoting.cu"
