// The entry of a kernel: its workers side by side in each block, and what the host reads of it.
#pragma once

#include <ringkernel/layout_text.cuh>
#include <ringkernel/received.cuh>
#include <ringkernel/worker.cuh>

/**
 * Whether workers of one warp have code of their own, which leaves out what several warps need: a
 * call takes 4 % less (H200), and the image is twice as large.
 */
#ifndef RINGKERNEL_ONE_WARP_APART
#define RINGKERNEL_ONE_WARP_APART false
#endif

namespace ringkernel {

/** A handler that is compiled with its worker. */
template <typename Kernel>
struct Inlined {
  /** Nothing of it lies in shared memory. */
  struct Frame {};

  __device__ static void prepare(Frame&, const Crew&, uint32_t, const Launch&, Block&, Failure&,
                                 Meeting&, uint8_t*) {}

  /** Called by all threads. */
  __device__ static Handled handle(Frame&, Context& context, const uint8_t* in, uint32_t length,
                                   uint8_t* out) {
    if (!context.isAssisting() && !accepts<typename Kernel::Request>(in, length)) {
      return {MessageKind::INVALID_REQUEST, 0, 0};
    }
    Kernel::handle(context, *reinterpret_cast<const typename Kernel::Request*>(in),
                   *reinterpret_cast<typename Kernel::Response*>(out));
    return context.response().finished();
  }
};

/** What a kernel knows of its messages. */
#ifdef RINGKERNEL_ERASED
template <typename Request, typename Response, bool STATEFUL, bool COOPERATIVE>
using ShapeOf = LaunchedShape;
constexpr bool ERASED = true;
#else
template <typename Request, typename Response, bool STATEFUL, bool COOPERATIVE>
using ShapeOf = CompiledShape<Request, Response, STATEFUL, COOPERATIVE>;
constexpr bool ERASED = false;
#endif

/** Adds what a description says of the worker, except for its shared memory. */
constexpr KernelInfo withWorker(KernelInfo info) {
  info.stateBytesPerWorker = sizeof(WorkerState);
  info.stateBytesPerBlock = sizeof(BlockState);
  info.maxThreadsPerWorker = RINGKERNEL_MAX_THREADS;
  return info;
}

/** What the host needs to know of a kernel. */
template <typename Kernel>
constexpr KernelInfo infoOf() {
  using Compiled = CompiledShape<typename Kernel::Request, typename Kernel::Response, false, false>;
  using Shared = WorkerShared<typename Kernel::Handling::Frame>;
  KernelInfo info = withWorker(handlerInfo<Kernel>());
  info.stagingBytesPerWorker = ERASED ? 0 : Compiled::stagingBytes();
  info.sharedBytesPerWorker = sizeof(typename Kernel::Shape::template Shared<Shared>);
  info.flags |= (Kernel::TIMED ? FLAG_TIMED : 0) | (ERASED ? FLAG_ERASED : 0);
  return info;
}

/** What the host needs to know of a worker that is compiled alone. */
template <typename Kernel>
constexpr KernelInfo workerInfoOf() {
  KernelInfo info = withWorker(identifiedInfo());
  info.sharedBytesPerWorker = sizeof(WorkerShared<typename Kernel::Handling::Frame>);
  info.flags = FLAG_ERASED;
  return info;
}

/** The body of a kernel: workers of whole warps side by side in each block. */
template <typename Kernel>
__device__ void serve(const typename Kernel::Shape::Parameter& parameter) {
  using Shape = typename Kernel::Shape;
  const Launch& launch = Shape::launch(parameter);
  __shared__ Block block;
  block.enter(launch);
  uint32_t indexInBlock = threadIdx.x / launch.threadsPerWorker;
  if (indexInBlock < block.workers() && block.isIdentified()) {
    Shape shape(parameter);
    if (RINGKERNEL_ONE_WARP_APART && launch.threadsPerWorker == machine::WARP) {
      Worker<Kernel, true>(launch, shape, machine::pinned(block), indexInBlock).run();
    } else {
      Worker<Kernel, false>(launch, shape, machine::pinned(block), indexInBlock).run();
    }
  }
}

}  // namespace ringkernel

#define RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, TIMED_, COOPERATIVE_, STATE_BYTES_, CALLED_)    \
  struct NAME##_kernel {                                                                           \
    using Request = REQUEST;                                                                       \
    using Response = RESPONSE;                                                                     \
    static constexpr bool TIMED = TIMED_;                                                          \
    static constexpr bool COOPERATIVE = COOPERATIVE_;                                              \
    static constexpr uint64_t STATE_BYTES = STATE_BYTES_;                                          \
    using Shape = ringkernel::ShapeOf<REQUEST, RESPONSE, STATE_BYTES != 0 && !TIMED, COOPERATIVE>; \
    using Handling = ringkernel::Inlined<NAME##_kernel>;                                           \
    using Called = CALLED_;                                                                        \
    __device__ static void handle(ringkernel::Context ctx, const REQUEST& in, RESPONSE& out);      \
  };                                                                                               \
  extern "C" __device__ const ringkernel::KernelInfo NAME##_info =                                 \
      ringkernel::infoOf<NAME##_kernel>();                                                         \
  extern "C" __device__ const auto NAME##_layouts = ringkernel::layoutsOf<REQUEST, RESPONSE>();    \
  extern "C" __global__ void __launch_bounds__(RINGKERNEL_MAX_THREADS, 1)                          \
      NAME(const __grid_constant__ NAME##_kernel::Shape::Parameter parameter) {                    \
    ringkernel::serve<NAME##_kernel>(parameter);                                                   \
  }                                                                                                \
  __device__ __forceinline__ void NAME##_kernel::handle
