// The linked worker for messages of any size.
#define RINGKERNEL_WORKER_SHAPE LaunchedShape
#include "linked_worker.cuh"
