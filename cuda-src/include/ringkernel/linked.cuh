// The worker's side of the boundary to a handler that it is linked with.
#pragma once

#include <ringkernel/call.cuh>
#include <ringkernel/context.cuh>

namespace ringkernel {

/**
 * Lies in the shared memory of a worker. The part of it that changes is how far the response is;
 * the first thread writes it, between barriers.
 */
struct Call {
  const Launch* launch;
  Block* block;
  Failure* failure;
  Meeting* meeting;
  uint8_t* nearby;
  uint8_t* distant;
  uint32_t nearbyBytes;
  uint32_t maxBytes;
  uint32_t worker;
  uint32_t firstThread;
  uint32_t threads;
  uint32_t barrier;
  ResponseBuilder::State response;
  uint64_t exchange[8];

  __device__ Crew crew() const { return Crew(threadIdx.x - firstThread, threads, barrier); }

  __device__ ResponseBuilder builder() const {
    return ResponseBuilder(nearby, distant, nearbyBytes, maxBytes, response);
  }

  __device__ Context context(ResponseBuilder& response) const {
    return Context(crew(), worker, *launch, *block, *failure, *meeting, response);
  }
};

/** A handler that is linked with its worker. */
struct Linked {
  struct Frame {
    Call call;
  };

  /** Called by the first thread, once a launch. */
  __device__ static void prepare(Frame& frame, const Crew& crew, uint32_t worker,
                                 const Launch& launch, Block& block, Failure& failure,
                                 Meeting& meeting, const ResponseBuilder& response) {
    frame.call = {&launch,
                  &block,
                  &failure,
                  &meeting,
                  response.nearby(),
                  response.distant(),
                  response.nearbyBytes(),
                  response.maxBytes(),
                  worker,
                  threadIdx.x,
                  crew.threads(),
                  crew.barrier(),
                  response.state(),
                  {}};
  }

  /** Called by the first thread, before the barrier behind which a request is shared. */
  __device__ static void gather(Frame& frame, const Crew& crew) {
    frame.call.threads = crew.threads();
  }

  /**
   * Called by all threads. All have seen how far the response before was: they have passed the
   * barrier behind which a request is shared. They look again behind another one only.
   */
  __device__ static void handle(Frame& frame, Context& context, const uint8_t* in, uint8_t* out) {
    if (context.lane() == 0) {
      frame.call.response = context.response().state();
    }
    ringkernel_handle(&frame.call, in, out);
  }

  /** Called behind a barrier. */
  __device__ static void finish(const Frame& frame, ResponseBuilder& response) {
    response.resume(frame.call.response);
  }
};

}  // namespace ringkernel

extern "C" {

__device__ uint32_t ringkernel_lane(const ringkernel::Call* call) {
  return call->crew().thread();
}

__device__ uint32_t ringkernel_lanes(const ringkernel::Call* call) {
  return call->threads;
}

__device__ uint32_t ringkernel_worker_number(const ringkernel::Call* call) {
  return call->worker;
}

__device__ void ringkernel_sync(const ringkernel::Call* call) {
  call->crew().sync();
}

__device__ uint32_t ringkernel_any(const ringkernel::Call* call, uint32_t predicate) {
  return call->crew().syncAny(predicate != 0) ? 1 : 0;
}

__device__ void* ringkernel_exchange(ringkernel::Call* call) {
  return call->exchange;
}

__device__ void* ringkernel_scratch(const ringkernel::Call* call) {
  return call->distant + ringkernel::aligned(call->maxBytes, ringkernel::LINE_BYTES);
}

__device__ void ringkernel_fail(const ringkernel::Call* call, int32_t code) {
  ringkernel::ResponseBuilder response = call->builder();
  call->context(response).fail(code);
}

__device__ uint32_t ringkernel_meet_all(const ringkernel::Call* call) {
  ringkernel::ResponseBuilder response = call->builder();
  return call->context(response).meetAll() ? 1 : 0;
}

__device__ void* ringkernel_state(const ringkernel::Call* call) {
  return reinterpret_cast<void*>(call->launch->user);
}

__device__ uint64_t ringkernel_state_bytes(const ringkernel::Call* call) {
  return call->launch->statePages * ringkernel::STATE_PAGE_BYTES;
}

__device__ void* ringkernel_resize(ringkernel::Call* call, void* array, uint32_t elementBytes,
                                   uint32_t capacity, uint32_t size) {
  // All see how far the last array has come, before any goes on from there.
  call->crew().sync();
  ringkernel::ResponseBuilder response = call->builder();
  call->crew().sync();
  ringkernel::Context context = call->context(response);
  uint32_t at = response.place(size * elementBytes, size <= capacity);
  if (at != 0) {
    context.clearArray(at, size * elementBytes);
  }
  if (context.lane() == 0) {
    call->response = response.state();
    if (at != 0) {
      auto* member = static_cast<uint32_t*>(array);
      member[0] = at;
      member[1] = size;
    }
  }
  return at != 0 ? response.at(at) : nullptr;
}
}
