// The loop of a worker: wait for a request, stage it, have it handled, answer it.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/block.cuh>
#include <ringkernel/context.cuh>
#include <ringkernel/copy.cuh>
#include <ringkernel/received.cuh>
#include <ringkernel/ring.cuh>
#include <ringkernel/timing.cuh>
#include <ringkernel/waiting.cuh>
#include <ringkernel/worker_line.cuh>

namespace ringkernel {

/**
 * The memory of a worker, as far as it follows from the messages.
 */
template <typename Request, typename Response>
struct Footprint {
  static constexpr uint32_t REQUEST_INLINE = inlineBytes(Request::MAX_BYTES);
  static constexpr uint32_t RESPONSE_INLINE = inlineBytes(Response::MAX_BYTES);
  static constexpr bool LARGE_REQUESTS = Request::MAX_BYTES > REQUEST_INLINE;
  static constexpr bool LARGE_RESPONSES = Response::MAX_BYTES > RESPONSE_INLINE;
  /** Whether the fixed block of a response lies in shared memory. */
  static constexpr bool NEARBY_RESPONSES = sizeof(Response) <= RESPONSE_INLINE;

  /** Whole chunks are copied. */
  RINGKERNEL_SHARED_CODE static constexpr uint32_t shared(uint32_t inlined) {
    return aligned(dataChunks(inlined) * CHUNK_DATA_BYTES, PART_ALIGNMENT);
  }

  static constexpr uint32_t REQUEST_SHARED = shared(REQUEST_INLINE);
  static constexpr uint32_t RESPONSE_SHARED = shared(RESPONSE_INLINE);
  static constexpr uint32_t REQUEST_STAGING =
      LARGE_REQUESTS ? aligned(Request::MAX_BYTES, LINE_BYTES) : 0;
  static constexpr uint32_t RESPONSE_STAGING =
      LARGE_RESPONSES ? aligned(Response::MAX_BYTES, LINE_BYTES) : 0;
  static constexpr uint32_t STAGING = REQUEST_STAGING + RESPONSE_STAGING;
};

/** What the first warp of a worker tells the others to do. */
struct alignas(PART_ALIGNMENT) Order {
  bool leave;
  uint32_t length;
  Place place;

  __device__ static Order toLeave() {
    Order order;
    order.leave = true;
    return order;
  }

  __device__ static Order toServe(Place place, uint32_t length) {
    Order order;
    order.leave = false;
    order.length = length;
    order.place = place;
    return order;
  }
};

/** The shared memory of a worker. */
template <typename Request, typename Response>
struct alignas(PART_ALIGNMENT) WorkerShared {
  Order order;
  Failure failure;
  Block::IdleSince idleSince;
  WorkerReport report;
  alignas(PART_ALIGNMENT) uint8_t request[Footprint<Request, Response>::REQUEST_SHARED];
  alignas(PART_ALIGNMENT) uint8_t response[Footprint<Request, Response>::RESPONSE_SHARED];
};

/**
 * One worker, seen by one of its threads. Its first warp waits for requests and moves small
 * messages; all threads move large ones and run the handler. Whatever decides where threads meet
 * next (the order above all) is the same for all of them.
 */
template <typename Kernel>
class Worker {
  using Request = typename Kernel::Request;
  using Response = typename Kernel::Response;
  using Bytes = Footprint<Request, Response>;
  using Shared = WorkerShared<Request, Response>;

 public:
  __device__ Worker(const Launch& launch, Block& block, uint32_t indexInBlock)
      // A worker of more than one warp has a barrier of its own: there are 16, and at most as many
      // such workers in a block of 1024 threads.
      : crew_(threadIdx.x - indexInBlock * launch.threadsPerWorker, launch.threadsPerWorker,
              indexInBlock % 16),
        launch_(launch),
        block_(block),
        shared_(reinterpret_cast<Shared*>(machine::dynamicShared())[indexInBlock]),
        ring_(reinterpret_cast<uint8_t*>(launch.memory), block.identity()),
        indexInBlock_(indexInBlock) {}

  /** Serves requests until the block leaves. */
  __device__ void run() {
    if (crew_.thread() == 0) {
      shared_.report.resume(state());
      shared_.idleSince = block_.idleFromNow();
    }
    Waiting waiting(block_, state().heldTicket, shared_.idleSince);
    Stopwatch<Kernel::TIMED> stopwatch(launch_.user);
    while (true) {
      Order order;
      if (crew_.isFirstWarp()) {
        order = await(waiting, stopwatch);
      }
      share(order);
      if (order.leave) {
        break;
      }
      serve(order, stopwatch);
      if (crew_.isFirstWarp()) {
        account();
      }
    }
    if (crew_.thread() == 0) {
      state().heldTicket = waiting.heldTicket();
      tell(WorkerStatus::OUT);
      shared_.report.save(state());
      block_.exit();
    }
  }

 private:
  Crew crew_;
  const Launch& launch_;
  Block& block_;
  Shared& shared_;
  Ring<Bytes::REQUEST_INLINE, Bytes::RESPONSE_INLINE> ring_;
  uint32_t indexInBlock_;

  /** Requests answered since the last look for a command; counted by the first thread. */
  uint32_t sinceCommand_ = 0;

  /** The number of this worker in the kernel. */
  __device__ uint32_t index() const { return blockIdx.x * launch_.workersPerBlock + indexInBlock_; }

  __device__ WorkerState& state() const {
    return reinterpret_cast<WorkerState*>(launch_.state + gridDim.x * sizeof(BlockState))[index()];
  }

  __device__ uint8_t* staging() const {
    return reinterpret_cast<uint8_t*>(launch_.staging) +
           static_cast<uint64_t>(index()) * Bytes::STAGING;
  }

  /** Waits for a request, and stages a small one. Called by the first warp. */
  __device__ Order await(Waiting& waiting, Stopwatch<Kernel::TIMED>& stopwatch) {
    uint32_t lane = crew_.thread();
    while (true) {
      Waiting::Turn turn = waiting.turn(lane);
      if (turn == Waiting::LEAVE) {
        return Order::toLeave();
      }
      if (turn == Waiting::DOZE) {
        tellIf(waiting.doze(shared_.report.isStale()));
        continue;
      }
      Place place = ring_.place(waiting.position());
      Look look = ring_.look(place, lane, waiting.withVoidRange());
      switch (look.state) {
        case RequestState::PRESENT:
          stopwatch.start();
          waiting.found(lane);
          stage(look, lane);
          return Order::toServe(place, look.length);
        case RequestState::WITHDRAWN:
          waiting.found(lane);
          ring_.answer(place, lane, 0, ResponseKind::WITHDRAWN, 0, nullptr);
          account();
          break;
        case RequestState::VOID:
          waiting.skip();
          break;
        case RequestState::ABSENT:
          tellIf(waiting.rest(lane, launch_, shared_.report.isStale()));
      }
    }
  }

  __device__ void tellIf(bool due) {
    if (due && crew_.thread() == 0) {
      tell(WorkerStatus::POLLING);
    }
  }

  __device__ void tell(WorkerStatus status) { shared_.report.tell(launch_, index(), status); }

  /** Makes a small request contiguous, a large one readable, and the fixed response zero. */
  __device__ void stage(const Look& look, uint32_t lane) {
    // Twelve bytes a lane: three words, and 3 is coprime to the 32 banks.
    if (lane > 0 && look.length <= Bytes::REQUEST_INLINE && lane <= dataChunks(look.length)) {
      look.chunk.unpack(reinterpret_cast<uint32_t*>(shared_.request) + (lane - 1) * 3);
    }
    if (lane == 0) {
      shared_.failure.failed = 0;
      if (Bytes::LARGE_REQUESTS && look.length > Bytes::REQUEST_INLINE) {
        ring_.acquirePayload();
      }
    }
    if (Bytes::NEARBY_RESPONSES && lane < aligned(sizeof(Response), 16) / 16) {
      reinterpret_cast<uint4*>(shared_.response)[lane] = {0, 0, 0, 0};
    }
  }

  /** Tells the other warps what the first has found; what it has staged is seen by all after. */
  __device__ void share(Order& order) {
    if (!crew_.isOneWarp()) {
      if (crew_.thread() == 0) {
        shared_.order = order;
      }
      crew_.sync();
      order = shared_.order;
    } else {
      crew_.sync();
    }
  }

  /** Handles a request and answers it. */
  __device__ void serve(const Order& order, Stopwatch<Kernel::TIMED>& stopwatch) {
    const uint8_t* request = shared_.request;
    if (Bytes::LARGE_REQUESTS && order.length > Bytes::REQUEST_INLINE &&
        order.length <= Request::MAX_BYTES) {
      request = stageLarge(order);
    }
    uint8_t* distant = staging() + Bytes::REQUEST_STAGING;
    uint8_t* nearby = Bytes::NEARBY_RESPONSES ? shared_.response : distant;
    if (!Bytes::NEARBY_RESPONSES) {
      clear(distant, sizeof(Response), crew_);
      crew_.sync();
    }
    const Request& in = *reinterpret_cast<const Request*>(request);
    if (order.length < sizeof(Request) || order.length > Request::MAX_BYTES ||
        !in.valid(Received(sizeof(Request), order.length))) {
      // All have looked at the request before the first warp stages another.
      crew_.sync();
      refuse(order, ResponseKind::INVALID_REQUEST, 0);
      return;
    }
    ResponseBuilder response(nearby, distant, Bytes::RESPONSE_INLINE, sizeof(Response),
                             Response::MAX_BYTES);
    Context context(crew_, index(), launch_, shared_.failure, response);
    Kernel::handle(context, in, *reinterpret_cast<Response*>(nearby));
    crew_.sync();
    answer(order, response);
    stopwatch.stop(crew_.thread());
  }

  /**
   * Copies a large request into device memory. That it is read from the bus before the response
   * lets the host write the slot again needs no fence: its words have arrived when the barrier
   * behind their stores is passed.
   */
  __device__ const uint8_t* stageLarge(const Order& order) {
    copyFromHost(staging(), ring_.requestPayload(order.place), order.length, crew_);
    crew_.sync();
    return staging();
  }

  /**
   * Answers with what the handler has made. Only for a large response do all threads need to know
   * whether it failed, and they meet once more after they have looked: the first warp resets that
   * for its next request.
   */
  __device__ void answer(const Order& order, const ResponseBuilder& response) {
    if (Bytes::LARGE_RESPONSES && response.valid() && response.end() > Bytes::RESPONSE_INLINE) {
      bool failed = hasFailed();
      if (!failed) {
        copyToHost(ring_.responsePayload(order.place), response, response.end(), crew_);
      }
      crew_.sync();
      if (failed) {
        refuse(order, ResponseKind::HANDLER_FAILED, shared_.failure.code);
      } else if (crew_.thread() == 0) {
        ring_.answerLarge(order.place, response.end());
      }
    } else if (hasFailed()) {
      refuse(order, ResponseKind::HANDLER_FAILED, shared_.failure.code);
    } else if (!response.valid()) {
      refuse(order, ResponseKind::INVALID_RESPONSE, 0);
    } else if (crew_.isFirstWarp()) {
      ring_.answer(order.place, crew_.thread(), response.end(), ResponseKind::ANSWER, 0,
                   reinterpret_cast<const uint32_t*>(shared_.response));
    }
  }

  __device__ bool hasFailed() const { return machine::peek(shared_.failure.failed) != 0; }

  __device__ void refuse(const Order& order, ResponseKind kind, int32_t detail) {
    if (crew_.isFirstWarp()) {
      ring_.answer(order.place, crew_.thread(), 0, kind, static_cast<uint32_t>(detail), nullptr);
      if (crew_.thread() == 0) {
        shared_.report.failed();
      }
    }
  }

  /** Counts a request that was answered, and now and then tells and asks how things are. */
  __device__ void account() {
    if (crew_.thread() == 0) {
      block_.end();
      shared_.report.answered();
      if (++sinceCommand_ >= block_.maxPerIteration()) {
        sinceCommand_ = 0;
        tell(WorkerStatus::POLLING);
        block_.obey(launch_);
      }
    }
    __syncwarp();
  }
};

}  // namespace ringkernel
