// The handler of crew alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/crew.cu"
