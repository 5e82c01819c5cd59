// The linked worker for messages that each travel in a row of their slot. It leaves out what larger
// messages need.
#define RINGKERNEL_WORKER_SHAPE LaunchedSmallShape
#define RINGKERNEL_WORKER_CALLED void
#define RINGKERNEL_ONE_WARP_APART true
#include "linked_worker.cuh"
