// The handler of meeting alone, to be linked with a worker.
#define RINGKERNEL_HANDLER
#include "../test/meeting.cu"
