// The linked worker of handlers that call the workers which wait for a request.
#define RINGKERNEL_WORKER_SHAPE LaunchedShape
#define RINGKERNEL_WORKER_CALLED ringkernel::CallingState
#include "linked_worker.cuh"
