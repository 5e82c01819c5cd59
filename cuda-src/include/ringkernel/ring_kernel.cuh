// What a user includes. A kernel is one function that handles one request:
//
//   #include <ringkernel/ring_kernel.cuh>
//   #include "vector_add_messages.cuh"
//
//   RING_KERNEL(vector_add, VectorAddRequest, VectorAddResponse)
//   (Context ctx, const VectorAddRequest& in, VectorAddResponse& out) {
//     auto sum = out.sum.resize(ctx, in.a.size());
//     for (uint32_t i = ctx.lane(); i < sum.size(); i += ctx.lanes()) sum[i] = in.a[i] + in.b[i];
//   }
//
// It is called by all threads of a worker, each with its own lane. A state that outlives a request
// is named as fourth: RING_KERNEL(counter, Request, Response, State), and reached by
// ctx.state<State>(). It can be followed by as much memory as is configured: ctx.stateBytes().
#pragma once

#include <ringkernel/layout_text.cuh>
#include <ringkernel/worker.cuh>

/**
 * The most threads of a block, which bounds the registers of a thread: 64 for 1024 threads, 128 for
 * 512. To be defined before this file is included, by a kernel whose handler needs more.
 */
#ifndef RINGKERNEL_MAX_THREADS
#define RINGKERNEL_MAX_THREADS 1024
#endif

namespace ringkernel {

/** The bytes of a handler's state. */
template <typename... State>
constexpr uint64_t stateBytes() {
  return (0 + ... + sizeof(State));
}

/** What the host needs to know of a kernel. */
template <typename Kernel>
constexpr KernelInfo infoOf() {
  using Request = typename Kernel::Request;
  using Response = typename Kernel::Response;
  return {KERNEL_MAGIC,
          ABI_VERSION,
          sizeof(KernelInfo),
          Request::FINGERPRINT,
          Response::FINGERPRINT,
          sizeof(Request),
          Request::MAX_BYTES,
          sizeof(Response),
          Response::MAX_BYTES,
          sizeof(WorkerState),
          sizeof(BlockState),
          Footprint<Request, Response>::STAGING,
          sizeof(WorkerShared<Request, Response>),
          Kernel::STATE_BYTES,
          RINGKERNEL_MAX_THREADS,
          (Kernel::TIMED ? FLAG_TIMED : 0) | (Kernel::COOPERATIVE ? FLAG_COOPERATIVE : 0)};
}

/** The body of a kernel: workers of whole warps side by side in each block. */
template <typename Kernel>
__device__ void serve(const Launch& launch) {
  __shared__ Block block;
  block.enter(launch);
  uint32_t indexInBlock = threadIdx.x / launch.threadsPerWorker;
  if (indexInBlock < block.workers() && block.isIdentified()) {
    if (launch.threadsPerWorker == machine::WARP) {
      Worker<Kernel, true>(launch, machine::pinned(block), indexInBlock).run();
    } else {
      Worker<Kernel, false>(launch, block, indexInBlock).run();
    }
  }
}

}  // namespace ringkernel

#define RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, TIMED_, COOPERATIVE_, STATE_BYTES_)          \
  struct NAME##_kernel {                                                                        \
    using Request = REQUEST;                                                                    \
    using Response = RESPONSE;                                                                  \
    static constexpr bool TIMED = TIMED_;                                                       \
    static constexpr bool COOPERATIVE = COOPERATIVE_;                                           \
    static constexpr uint64_t STATE_BYTES = STATE_BYTES_;                                       \
    __device__ static void handle(ringkernel::Context ctx, const REQUEST& in, RESPONSE& out);   \
  };                                                                                            \
  extern "C" __device__ const ringkernel::KernelInfo NAME##_info =                              \
      ringkernel::infoOf<NAME##_kernel>();                                                      \
  extern "C" __device__ const auto NAME##_layouts = ringkernel::layoutsOf<REQUEST, RESPONSE>(); \
  extern "C" __global__ void __launch_bounds__(RINGKERNEL_MAX_THREADS, 1)                       \
      NAME(const __grid_constant__ ringkernel::Launch launch) {                                 \
    ringkernel::serve<NAME##_kernel>(launch);                                                   \
  }                                                                                             \
  __device__ __forceinline__ void NAME##_kernel::handle

/** Defines a kernel; the parameters and the body of its handler follow. */
#define RING_KERNEL(NAME, REQUEST, RESPONSE, ...) \
  RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, false, false, (ringkernel::stateBytes<__VA_ARGS__>()))

/** The same for a kernel whose workers meet: it is launched as a whole or not at all. */
#define RING_KERNEL_COOPERATIVE(NAME, REQUEST, RESPONSE, ...) \
  RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, false, true, (ringkernel::stateBytes<__VA_ARGS__>()))

/** The same for a kernel without state that times its requests on the device. */
#define RING_KERNEL_TIMED(NAME, REQUEST, RESPONSE) \
  RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, true, false, sizeof(ringkernel::Timing))

using ringkernel::Context;
