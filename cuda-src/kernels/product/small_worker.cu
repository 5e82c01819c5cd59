// The worker of every handler that is compiled without one and whose messages each travel in a row
// of their slot: as worker.cu is, with what larger messages need left out.
#define RINGKERNEL_ERASED
#define RINGKERNEL_MAX_THREADS 512
#include <ringkernel/entry.cuh>
#include <ringkernel/linked.cuh>

struct ringkernel_worker_kernel {
  static constexpr bool TIMED = false;
  using Shape = ringkernel::LaunchedSmallShape;
  using Handling = ringkernel::Linked;
  using Called = void;
};

extern "C" __device__ const ringkernel::KernelInfo ringkernel_worker_info =
    ringkernel::workerInfoOf<ringkernel_worker_kernel>();

extern "C" __global__ void __launch_bounds__(RINGKERNEL_MAX_THREADS, 1)
    ringkernel_worker(const __grid_constant__ ringkernel::ErasedLaunch parameter) {
  ringkernel::serve<ringkernel_worker_kernel>(parameter);
}
