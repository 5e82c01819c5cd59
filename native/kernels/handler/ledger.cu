// The handler of ledger alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/ledger.cu"
