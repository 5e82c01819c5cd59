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
  enum Kind : uint32_t { LEAVE, SERVE, RETURN_WITHDRAWN };

  Kind kind;
  uint32_t length;
  Place place;
};

/** What there is to tell the host of a request. */
struct Outcome {
  MessageKind kind;
  uint32_t length;
  uint32_t detail;
  Reply reply;
};

/** The shared memory of a worker. */
template <typename Request, typename Response>
struct alignas(PART_ALIGNMENT) WorkerShared {
  Order order;
  Failure failure;
  Meeting meeting;
  Block::Stay stay;
  WorkerReport report;
  /** When the worker kept house, in ticks. */
  uint32_t keptAt;
  alignas(PART_ALIGNMENT) uint8_t request[Footprint<Request, Response>::REQUEST_SHARED];
  alignas(PART_ALIGNMENT) uint8_t response[Footprint<Request, Response>::RESPONSE_SHARED];
};

/**
 * One worker, seen by one of its threads. Its first warp waits for requests and moves small
 * messages; all threads move large ones and run the handler. Whatever decides where threads meet
 * next (the order above all) is the same for all of them.
 *
 * @tparam ONE_WARP whether the worker is one warp: then the compiler knows how many threads it has,
 * that they need no barrier, and so leaves out most of what a request costs besides its handler
 */
template <typename Kernel, bool ONE_WARP>
class Worker {
  using Request = typename Kernel::Request;
  using Response = typename Kernel::Response;
  using Bytes = Footprint<Request, Response>;
  using Shared = WorkerShared<Request, Response>;

 public:
  __device__ Worker(const Launch& launch, Block& block, uint32_t indexInBlock)
      // A worker of more than one warp has a barrier of its own: there are 16, and at most as many
      // such workers in a block of 1024 threads.
      : crew_(ONE_WARP ? threadIdx.x % machine::WARP
                       : threadIdx.x - indexInBlock * launch.threadsPerWorker,
              ONE_WARP ? machine::WARP : launch.threadsPerWorker, indexInBlock % 16),
        launch_(launch),
        block_(block),
        shared_(reinterpret_cast<Shared*>(machine::dynamicShared())[indexInBlock]),
        ring_(reinterpret_cast<uint8_t*>(launch.memory), block.identity()),
        indexInBlock_(indexInBlock) {}

  /** Serves requests until the block leaves. */
  __device__ void run() {
    if (crew_.thread() == 0) {
      shared_.report.resume(state());
      shared_.report.present(launch_, index(), block_.launch());
      shared_.stay = block_.stay();
      shared_.keptAt = WorkerReport::now();
    }
    Waiting waiting(block_, state().heldTicket, shared_.stay);
    Stopwatch<Kernel::TIMED> stopwatch(launch_.user);
#pragma unroll 1
    while (true) {
      Order order;
      if (crew_.isFirstWarp()) {
        order = await(waiting, stopwatch);
      }
      share(order);
      if (order.kind == Order::LEAVE) {
        break;
      }
      waiting.beginAnew();
      if (!serve(order, waiting, stopwatch)) {
        waiting.resume(shared_.meeting.ticket);
        break;
      }
    }
    if (crew_.thread() == 0) {
      state().heldTicket = waiting.heldTicket();
      shared_.report.leave(state());
      block_.exit();
      shared_.report.conclude(launch_, index(), block_.launch());
    }
  }

 private:
  Crew crew_;
  const Launch& launch_;
  Block& block_;
  Shared& shared_;
  Ring<Bytes::REQUEST_INLINE, Bytes::RESPONSE_INLINE> ring_;
  uint32_t indexInBlock_;

  /** Whether a request may read what another worker has written for an earlier one. */
  static constexpr bool STATEFUL = Kernel::STATE_BYTES != 0 && !Kernel::TIMED;

  /**
   * A worker keeps house every 2^16 cycles, which is 33 us at 2 GHz: by the clock, and not by looks
   * or requests, since a handler may take any time. Its cycles are read for each request anyway.
   */
  static constexpr uint32_t TICKS_PER_HOUSEKEEPING = (1 << 16) / DeviceTimes::CYCLES_PER_TICK;

  /** The number of this worker in the kernel. */
  __device__ uint32_t index() const {
    return blockIdx.x * launch_.workersPerBlock + indexInBlock_;
  }

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
#pragma unroll 1
    while (true) {
      waiting.hold(lane);
      Place place = ring_.place(waiting.position());
      bool leaves = block_.leaves();
      Look look = ring_.look(place, lane, waiting.looks(), waiting.withSkippedLaps());
      // Whatever was found: the ticket is kept for the next launch.
      if (__any_sync(machine::ALL_LANES, leaves)) {
        return {Order::LEAVE, 0, place};
      }
      if (look.state == RequestState::ABSENT) {
        waiting.rest(lane);
        if (lane == 0) {
          keepHouse(WorkerReport::now(), true);
        }
        __syncwarp();
      } else if (look.state == RequestState::SKIPPED) {
        waiting.skip(lane);
      } else {
        stopwatch.start();
        uint32_t now = WorkerReport::now();
        if (Kernel::COOPERATIVE && lane == 0) {
          shared_.meeting = {Meeting::NONE, waiting.heldTicket()};
        }
        waiting.found(lane);
        stage(look, lane, now);
        return {look.state == RequestState::PRESENT ? Order::SERVE : Order::RETURN_WITHDRAWN,
                look.length, place};
      }
    }
  }

  /**
   * Does what is to be done now and then: obeys, tells, and sees whether there is an end to it.
   * Called by the first thread.
   */
  __device__ void keepHouse(uint32_t now, bool waits) {
    if (now - shared_.keptAt < TICKS_PER_HOUSEKEEPING) {
      return;
    }
    shared_.keptAt = now;
    uint64_t nanos = machine::nanoTime();
    block_.keepHouse(launch_, nanos);
    if (waits) {
      block_.restIfIdle(shared_.stay, nanos);
    }
    bool rests = waits && shared_.report.sinceFound(now) >= TICKS_PER_HOUSEKEEPING;
    shared_.report.tell(launch_, index(), block_.launch(), rests, nanos);
  }

  /** Makes a small request contiguous, a large one readable, and a small response zero. */
  __device__ void stage(const Look& look, uint32_t lane, uint32_t now) {
    // Twelve bytes a lane: three words, and 3 is coprime to the 32 banks. Chunks behind the end of
    // the message are of no message: nobody reads there, and looking where it ends takes longer.
    if (lane != 0 && lane <= dataChunks(Bytes::REQUEST_INLINE)) {
      look.chunk.unpack(reinterpret_cast<uint32_t*>(shared_.request) + (lane - 1) * 3);
    }
    if (lane == 0) {
      shared_.failure.failed = 0;
      shared_.report.found(now);
    }
    // One store of the warp: 31 chunks of 12 bytes are 24 units.
    if (Bytes::NEARBY_RESPONSES && lane < Bytes::RESPONSE_SHARED / UNIT) {
      reinterpret_cast<uint4*>(shared_.response)[lane] = {0, 0, 0, 0};
    }
    if (STATEFUL || (Bytes::LARGE_REQUESTS && look.length > Bytes::REQUEST_INLINE)) {
      ring_.acquireRequest();
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

  /** Has a request handled and answers it; tells whether that came about. */
  __device__ bool serve(const Order& order, Waiting& waiting, Stopwatch<Kernel::TIMED>& stopwatch) {
    Outcome outcome = order.kind == Order::SERVE
                          ? handle(order)
                          : Outcome{MessageKind::WITHDRAWN, 0, 0, collect(order)};
    if (Kernel::COOPERATIVE && machine::peek(shared_.meeting.state) == Meeting::ABANDONED) {
      return false;
    }
    if (!crew_.isFirstWarp()) {
      return true;
    }
    if (Bytes::LARGE_RESPONSES && outcome.length > Bytes::RESPONSE_INLINE) {
      if (crew_.thread() == 0) {
        ring_.answerLarge(outcome.reply, outcome.length);
      }
    } else {
      if (STATEFUL) {
        ring_.releaseState();
      }
      ring_.answer(outcome.reply, crew_.thread(), outcome.length, outcome.kind, outcome.detail);
    }
    stopwatch.stop(crew_.thread());
    if (crew_.thread() == 0) {
      waiting.answered();
      account(outcome.kind);
    }
    __syncwarp();
    return true;
  }

  /** Handles a request; all threads agree on what came of it. */
  __device__ Outcome handle(const Order& order) {
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
      return {MessageKind::INVALID_REQUEST, 0, 0, collect(order)};
    }
    ResponseBuilder response(nearby, distant,
                             Bytes::LARGE_RESPONSES ? Bytes::RESPONSE_INLINE : UINT32_MAX,
                             sizeof(Response), Response::MAX_BYTES);
    Context context(crew_, index(), launch_, block_, shared_.failure, shared_.meeting, response);
    Kernel::handle(context, in, *reinterpret_cast<Response*>(nearby));
    crew_.sync();
    Reply reply = collect(order);
    bool failed = hasFailed();
    if (Bytes::LARGE_RESPONSES && response.valid() && response.end() > Bytes::RESPONSE_INLINE) {
      if (!failed) {
        machine::mayWrite(ring_.responsePayload(order.place));
        copyToHost(ring_.responsePayload(order.place), response, response.end(), crew_);
      }
      // All have looked whether it failed before the first warp resets that, and have stored their
      // part before it releases the whole.
      crew_.sync();
    }
    Outcome outcome = {response.valid() ? MessageKind::DATA : MessageKind::INVALID_RESPONSE,
                       response.valid() ? response.end() : 0, 0, reply};
    if (failed) {
      outcome = {MessageKind::HANDLER_FAILED, 0, static_cast<uint32_t>(shared_.failure.code),
                 reply};
    }
    return outcome;
  }

  /**
   * Copies a large request into device memory. That it is read from the bus before the response
   * lets the host write the slot again needs no fence: its words have arrived when the barrier
   * behind their stores is passed.
   */
  __device__ const uint8_t* stageLarge(const Order& order) {
    copyFromHost(staging(), ring_.requestPayload(order.place), order.length, crew_);
    crew_.sync();
    machine::hasRead(ring_.requestPayload(order.place));
    return staging();
  }

  __device__ Reply collect(const Order& order) const {
    return ring_.collect(order.place, crew_.thread(),
                         reinterpret_cast<const uint32_t*>(shared_.response));
  }

  __device__ bool hasFailed() const {
    return machine::peek(shared_.failure.failed) != 0;
  }

  /** Counts a request that was answered. */
  __device__ void account(MessageKind kind) {
    uint32_t now = WorkerReport::now();
    if (kind == MessageKind::WITHDRAWN) {
      shared_.report.withdrawn();
    } else {
      shared_.report.answered(now, kind != MessageKind::DATA);
    }
    keepHouse(now, false);
  }
};

}  // namespace ringkernel
