// The worker of every handler that is compiled without one: a launch tells it the shape of the
// messages, and a handler is linked with it. Before you include this file, define
// RINGKERNEL_WORKER_SHAPE, what it has to know of messages, RINGKERNEL_WORKER_CALLED, the state
// that its handlers call workers in (void if they call none), and RINGKERNEL_ONE_WARP_APART if need
// be.
#pragma once

#define RINGKERNEL_ERASED
// What is live across the call of a handler does not fit the 64 registers of 1024 threads.
#define RINGKERNEL_MAX_THREADS 512
#include <ringkernel/entry.cuh>
#include <ringkernel/linked.cuh>

struct ringkernel_worker_kernel {
  static constexpr bool TIMED = false;
  using Shape = ringkernel::RINGKERNEL_WORKER_SHAPE;
  using Handling = ringkernel::Linked;
  using Called = RINGKERNEL_WORKER_CALLED;
};

extern "C" __device__ const ringkernel::KernelInfo ringkernel_worker_info =
    ringkernel::workerInfoOf<ringkernel_worker_kernel>();

extern "C" __global__ void __launch_bounds__(RINGKERNEL_MAX_THREADS, 1)
    ringkernel_worker(const __grid_constant__ ringkernel::ErasedLaunch parameter) {
  ringkernel::serve<ringkernel_worker_kernel>(parameter);
}
