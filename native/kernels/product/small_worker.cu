// The linked worker for messages that each travel in a row of their slot. It leaves out what larger
// messages need.
#define RINGKERNEL_WORKER_SHAPE LaunchedSmallShape
#include "linked_worker.cuh"
