// The worker's side of the boundary to a handler that it is linked with.
#pragma once

#include <ringkernel/call.cuh>
#include <ringkernel/context.cuh>

namespace ringkernel {

static_assert(offsetof(Failure, failed) == 0);
static_assert(offsetof(Failure, code) == 4);
static_assert(offsetof(Launch, user) == 24);

/** A handler that is linked with its worker. */
struct Linked {
  struct Frame {
    Call call;
  };

  /** Called by the first thread, once a launch. */
  __device__ static void prepare(Frame& frame, const Crew& crew, uint32_t worker,
                                 const Launch& launch, Block& block, Failure& failure,
                                 Meeting& meeting, uint8_t* distant) {
    frame.call = {{}, &launch, &failure, distant, &block, &meeting, worker, crew.barrier()};
  }

  /** Called by all threads. */
  __device__ static Handled handle(Frame& frame, Context& context, const uint8_t* in,
                                   uint32_t length, uint8_t* out) {
    return context.response().finishedBy(
        ringkernel_handle(&frame.call, in, length, out, context.lane(), context.lanes()));
  }
};

}  // namespace ringkernel
