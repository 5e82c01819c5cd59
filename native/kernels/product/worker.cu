// The linked worker for messages of any size.
#define RINGKERNEL_WORKER_SHAPE LaunchedShape
#define RINGKERNEL_WORKER_CALLED void
#define RINGKERNEL_ONE_WARP_APART true
#include "linked_worker.cuh"
