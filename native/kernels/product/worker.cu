// The linked worker for messages of any size.
#define RINGKERNEL_WORKER_SHAPE LaunchedShape
#define RINGKERNEL_WORKER_CALLED void
#include "linked_worker.cuh"
