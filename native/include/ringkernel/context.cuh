// What a handler knows besides its request: which thread it is, and how to fail.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/block.cuh>
#include <ringkernel/cooperation.cuh>
#include <ringkernel/machine.cuh>
#include <ringkernel/message.cuh>
#include <ringkernel/response_builder.cuh>
#include <ringkernel/shape.cuh>
#include <type_traits>

namespace ringkernel {

/** The threads of a worker. One warp needs no barrier of the block's. */
class Crew {
 public:
  __device__ Crew(uint32_t thread, uint32_t threads, uint32_t barrier)
      : thread_(thread), threads_(threads), barrier_(barrier) {}

  __device__ uint32_t thread() const { return thread_; }
  __device__ uint32_t threads() const { return threads_; }
  __device__ uint32_t barrier() const { return barrier_; }
  __device__ bool isOneWarp() const { return threads_ == machine::WARP; }
  __device__ bool isFirstWarp() const { return thread_ < machine::WARP; }

  /** The same thread among the first so many, of which it is one. */
  __device__ Crew first(uint32_t threads) const { return Crew(thread_, threads, barrier_); }

  /** This thread among those of the other warps, of which it is one. */
  __device__ Crew withoutFirstWarp() const {
    return Crew(thread_ - machine::WARP, threads_ - machine::WARP, barrier_);
  }

  /** Waits for all threads of the worker; what they wrote before is seen by all after. */
  __device__ void sync() const {
    if (isOneWarp()) {
      __syncwarp();
    } else {
      machine::barrier(barrier_, threads_);
    }
  }

  /** The same; tells all of them whether any came with a predicate that holds. */
  __device__ bool syncAny(bool predicate) const {
    if (!isOneWarp()) {
      return machine::barrierAny(barrier_, threads_, predicate);
    }
    __syncwarp();
    return __any_sync(machine::ALL_LANES, predicate);
  }

 private:
  uint32_t thread_;
  uint32_t threads_;
  uint32_t barrier_;
};

/** Sets whole 16-byte units to zero. */
__device__ inline void clear(uint8_t* target, uint32_t bytes, const Crew& crew) {
  // Unrolled, it takes registers that a worker of large messages has not left.
#pragma unroll 1
  for (uint32_t at = crew.thread() * UNIT; at < bytes; at += crew.threads() * UNIT) {
    *reinterpret_cast<uint4*>(target + at) = {0, 0, 0, 0};
  }
}

/** How a handler failed; in shared memory, since any thread may say so. */
struct Failure {
  uint32_t failed;
  int32_t code;
};

/** Where a worker is with the meetings of its request; written by its first thread. */
struct Meeting {
  enum State : uint32_t { NONE, COMPLETE, ABANDONED };

  State state;
  /** What the worker goes on with in the next launch if it leaves its request to that. */
  uint64_t ticket;
};

class Context : public Cooperation<Context> {
 public:
  __device__ Context(const Crew& crew, uint32_t worker, const Launch& launch, Block& block,
                     Failure& failure, Meeting& meeting, ResponseBuilder& response,
                     bool isAssisting = false)
      : crew_(crew),
        worker_(worker),
        launch_(&launch),
        block_(&block),
        failure_(&failure),
        meeting_(&meeting),
        response_(&response),
        isAssisting_(isAssisting) {}

  /**
   * Whether the worker takes part in the request of another one, of a kernel that is defined with
   * RING_KERNEL_ASSISTED. Then it has no request and no response.
   */
  __device__ bool isAssisting() const { return isAssisting_; }

  /** The number of this thread in its worker. */
  __device__ uint32_t lane() const { return crew_.thread(); }

  /**
   * How many threads handle this request: a multiple of 32. Where threads-per-worker is left to the
   * library, that is one warp for a small request and more for a large one.
   */
  __device__ uint32_t lanes() const { return crew_.threads(); }

  /** The number of this worker in the kernel. */
  __device__ uint32_t worker() const { return worker_; }

  /** How many workers the kernel has. */
  __device__ uint32_t workers() const { return launch_->workers; }

  /** Waits for all threads of the worker; called by all of them. */
  __device__ void sync() const { crew_.sync(); }

  /**
   * Waits until every worker of the kernel is here, each with a request of its own; called by all
   * threads of all workers. What they wrote to device memory before is seen by all after. Only in a
   * kernel that is defined with RING_KERNEL_COOPERATIVE, and only where as many requests are sent
   * as there are workers: those that are here wait for the others.
   * @return whether all have come; if not, the kernel is to end, and the handler is to return: the
   * request is begun anew in the next launch. Once all have come, they come to later meetings too.
   */
  __device__ bool meetAll() const {
    crew_.sync();
    if (lane() == 0 && machine::peek(meeting_->state) != Meeting::ABANDONED) {
      bool isFirst = machine::peek(meeting_->state) == Meeting::NONE;
      bool complete = block_->meetAll(*launch_, isFirst);
      machine::poke(meeting_->state, complete ? Meeting::COMPLETE : Meeting::ABANDONED);
    }
    crew_.sync();
    bool complete = machine::peek(meeting_->state) == Meeting::COMPLETE;
    // All know before the next meeting.
    crew_.sync();
    return complete;
  }

  /**
   * Fails this request, and no other: its caller gets the code, and the response is dropped. Called
   * by one thread or more. The handler goes on until it returns.
   */
  __device__ void fail(int32_t code) const {
    machine::poke(failure_->code, code);
    machine::poke(failure_->failed, 1u);
  }

  /**
   * The state of the handler in device memory, which its workers share. It is zero at the start of
   * a session and survives a relaunch. What a request has written before it was answered is seen
   * by every request that is sent after, whichever worker handles it. Requests in flight at the
   * same time need atomics, or a lock.
   */
  template <typename T>
  __device__ T& state() const {
    return *reinterpret_cast<T*>(launch_->user);
  }

  /**
   * How much memory the state has: what its type needs, or the kernel's setting state-memory if
   * that is more. What lies behind the type is the handler's to use, and zero at first as well.
   */
  __device__ uint64_t stateBytes() const { return launch_->statePages * STATE_PAGE_BYTES; }

  /** Where the arrays of the response go. */
  __device__ ResponseBuilder& response() const { return *response_; }

  /** Makes an array of the response zero; called by all threads of the worker. */
  __device__ void clearArray(uint32_t at, uint32_t bytes) const {
    // What lies in shared memory is zero since its worker has staged the request.
    if (!response_->isNearby(at)) {
      clear(response_->at(at), bytes, crew_);
      crew_.sync();
    }
  }

 private:
  Crew crew_;
  uint32_t worker_;
  const Launch* launch_;
  Block* block_;
  Failure* failure_;
  Meeting* meeting_;
  ResponseBuilder* response_;
  bool isAssisting_;
};

template <typename T, uint32_t CAPACITY, uint32_t AT>
__device__ Span<T> Array<T, CAPACITY, AT>::resize(Context& context, uint32_t size) {
  ResponseBuilder& response = context.response();
  uint32_t at = response.place(size * sizeof(T), size <= CAPACITY);
  bool reserved = at != 0;
  if (reserved) {
    context.clearArray(at, size * sizeof(T));
  }
  if (reserved & (context.lane() == 0)) {
    offset = at;
    length = size;
  }
  return Span<T>(reserved ? reinterpret_cast<T*>(response.at(at)) : nullptr, reserved ? size : 0);
}

template <typename T, uint32_t CAPACITY, uint32_t AT>
__device__ Span<T> Array<T, CAPACITY, AT>::reserve(Context& context, uint32_t size) {
  ResponseBuilder& response = context.response();
  uint32_t at = response.place(size * sizeof(T), size <= CAPACITY);
  bool reserved = at != 0;
  // The bus takes small stores one by one.
  auto* elements =
      reinterpret_cast<T*>(sizeof(T) < sizeof(uint32_t) ? response.at(at) : response.expose(at));
  if (reserved & (context.lane() == 0)) {
    offset = at;
    length = size;
    // What is behind the last element goes with it. In shared memory it is zero.
    using Zero = std::conditional_t<sizeof(T) % sizeof(uint32_t) == 0, uint32_t, uint8_t>;
    auto* bytes = reinterpret_cast<uint8_t*>(elements);
    uint32_t written = response.isNearby(at) ? 0 : size * sizeof(T);
    for (uint32_t i = written; i % PART_ALIGNMENT != 0; i += sizeof(Zero)) {
      *reinterpret_cast<Zero*>(bytes + i) = 0;
    }
  }
  return Span<T>(reserved ? elements : nullptr, reserved ? size : 0);
}

}  // namespace ringkernel
