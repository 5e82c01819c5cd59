// The loop of a worker: wait for a request, stage it, have it handled, answer it.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/block.cuh>
#include <ringkernel/context.cuh>
#include <ringkernel/copy.cuh>
#include <ringkernel/order.cuh>
#include <ringkernel/ring.cuh>
#include <ringkernel/shape.cuh>
#include <ringkernel/staging.cuh>
#include <ringkernel/timing.cuh>
#include <ringkernel/waiting.cuh>
#include <ringkernel/worker_line.cuh>

namespace ringkernel {

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
  using Shape = typename Kernel::Shape;
  using Handling = typename Kernel::Handling;
  using Header = WorkerShared<typename Handling::Frame>;
  static constexpr bool IS_CALLED = Calls<typename Kernel::Called>::EXIST;
  using Waiting = ringkernel::Waiting<typename Kernel::Called>;
  using Shared = typename Shape::template Shared<Header>;

 public:
  __device__ Worker(const Launch& launch, const Shape& shape, Block& block, uint32_t indexInBlock)
      // A worker of more than one warp has a barrier of its own: there are 16, and at most as many
      // such workers in a block of 1024 threads.
      : crew_(ONE_WARP ? threadIdx.x % machine::WARP
                       : threadIdx.x - indexInBlock * launch.threadsPerWorker,
              ONE_WARP ? machine::WARP : launch.threadsPerWorker, indexInBlock % 16),
        launch_(launch),
        shape_(shape),
        block_(block),
        shared_(shape.template sharedOf<Header>(indexInBlock)),
        ring_(reinterpret_cast<uint8_t*>(launch.memory), block.identity(), shape),
        indexInBlock_(indexInBlock) {
    shape_.settle(launch, index());
  }

  /** Serves requests until the block leaves. */
  __device__ void run() {
    if (crew_.thread() == 0) {
      shared_.report.resume(launch_, index(), state());
      // A launch for few requests shows that it lives, which is a store, and says when it ends
      // which one it was.
      uint32_t number = block_.endsAtOnce() ? 0 : block_.number(launch_);
      shared_.report.present(launch_, index(), number);
      shared_.stay = block_.stay();
      shared_.keptAt = WorkerReport::now();
      Handling::prepare(shared_, crew_, index(), launch_, block_, shared_.failure, shared_.meeting,
                        distantResponse());
    }
    Waiting waiting(launch_, block_, state().heldTicket, shared_.stay);
    Stopwatch<Kernel::TIMED> stopwatch(launch_.user);
#pragma unroll 1
    while (true) {
      Order order;
      if (crew_.isFirstWarp()) {
        order = await(waiting, stopwatch);
        gather(order);
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
      uint32_t number = block_.number(launch_);
      block_.exit();
      shared_.report.conclude(launch_, index(), number);
    }
  }

 private:
  Crew crew_;
  const Launch& launch_;
  Shape shape_;
  Block& block_;
  Shared& shared_;
  Ring<Shape> ring_;
  uint32_t indexInBlock_;

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
    return shape_.staging(launch_, index());
  }

  /** Where a small request lies. */
  __device__ uint8_t* smallRequest() const {
    return shape_.template requestIn<Header>(shared_);
  }

  /** Where a small response lies. */
  __device__ uint8_t* smallResponse() const {
    return shape_.template responseIn<Header>(shared_);
  }

  /** Where a large response lies. */
  __device__ uint8_t* distantResponse() const {
    return staging() + shape_.responseStagingOffset();
  }

  /** Where the fixed block of a response lies. */
  __device__ uint8_t* fixedResponse(uint8_t* distant) const {
    return shape_.isResponseNearby() ? smallResponse() : distant;
  }

  __device__ ResponseBuilder emptyResponse(uint8_t* nearby, uint8_t* distant,
                                           uint8_t* payload) const {
    return ResponseBuilder(
        nearby, distant, shape_.nearbyBytes(), shape_.responseMaxBytes(),
        ResponseBuilder::begun(shape_.responseFixedBytes(), shape_.nearbyBytes()), payload);
  }

  /** Waits for a request, and stages a small one. Called by the first warp. */
  __device__ Order await(Waiting& waiting, Stopwatch<Kernel::TIMED>& stopwatch) {
    uint32_t lane = crew_.thread();
#pragma unroll 1
    while (true) {
      waiting.hold(lane);
      Place place = ring_.place(waiting.position());
      bool leaves = block_.leaves();
      auto expected = Block::Expected::ONE_ROW;
      if (shape_.requestRows() > 1) {
        expected = waiting.expected(lane);
      }
      // A worker of several warps has a block of its own, as a rule: nobody else uses the L1 that
      // looks which acquire empty.
      bool acquires = !ONE_WARP && (shape_.isStateful() || expected == Block::Expected::PAYLOAD);
      bool isCalled = waiting.isCalled(lane);
      Look look = ring_.look(place, lane, waiting.looks(), waiting.withSkippedLaps(),
                             expected == Block::Expected::ROWS, acquires);
      // Whatever was found: the ticket is kept for the next launch.
      if (__any_sync(machine::ALL_LANES, leaves)) {
        return {Order::LEAVE, 0, 0, place};
      }
      if (look.isThere) {
        stopwatch.start();
        uint32_t now = WorkerReport::now();
        if ((shape_.isCooperative() || isPartial(look)) && lane == 0) {
          shared_.meeting = {Meeting::NONE, waiting.heldTicket()};
        }
        if (shape_.requestRows() > 1 && lane == 0) {
          block_.expect(ring_.spansRows(look.length)     ? Block::Expected::ROWS
                        : shape_.hasPayload(look.length) ? Block::Expected::PAYLOAD
                                                         : Block::Expected::ONE_ROW);
        }
        waiting.found(lane);
        stage(look, lane, now, acquires);
        return {look.isWithdrawn ? Order::RETURN_WITHDRAWN : Order::SERVE, look.length,
                look.available, place};
      }
      if (look.isSkipped) {
        waiting.skip(lane);
        continue;
      }
      // A worker that is called does not rest.
      isCalled = (IS_CALLED && __any_sync(machine::ALL_LANES, isCalled)) || waiting.rest(lane);
      if (lane == 0) {
        keepHouse(WorkerReport::now(), true);
      }
      __syncwarp();
      if (IS_CALLED && isCalled) {
        if (lane == 0) {
          shared_.meeting.ticket = waiting.heldTicket();
        }
        return {Order::ASSIST, ASSISTS, 0, place};
      }
    }
  }

  /** Whether the host still copies the request: the worker may have to leave before it has all. */
  __device__ bool isPartial(const Look& look) const {
    return shape_.hasPayload(look.length) && look.available < look.length;
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
    shared_.report.tell(launch_, index(), block_.number(launch_), rests, nanos);
  }

  /** Makes a small request contiguous, a large one readable, and a small response zero. */
  __device__ void stage(const Look& look, uint32_t lane, uint32_t now, bool hasAcquired) {
    // Twelve bytes a lane: three words, and 3 is coprime to the 32 banks. Chunks behind the end of
    // the message are of no message: nobody reads there, and looking where it ends takes longer.
    auto* request = reinterpret_cast<uint32_t*>(smallRequest());
    if (lane - 1 < shape_.requestInlineChunks()) {
      look.rows[0].unpack(request + (lane - 1) * CHUNK_WORDS);
    }
    if (shape_.requestRows() > 1 && look.length > ROW_DATA_BYTES) {
#pragma unroll
      for (uint32_t row = 1; row < MAX_ROWS; row++) {
        uint32_t chunk = lane + row * ROW_CHUNKS;
        if (chunk <= shape_.requestInlineChunks()) {
          look.rows[row].unpack(request + (chunk - 1) * CHUNK_WORDS);
        }
      }
    }
    if (lane == 0) {
      shared_.failure.failed = 0;
      shared_.report.found(now);
    }
    // A store of the warp for each row: 31 chunks of 12 bytes are 24 units.
#pragma unroll
    for (uint32_t row = 0; row < MAX_ROWS; row++) {
      uint32_t unit = lane + row * machine::WARP;
      if ((row == 0 || shape_.responseRows() > 1) && unit < shape_.responseSharedUnits()) {
        reinterpret_cast<uint4*>(smallResponse())[unit] = {0, 0, 0, 0};
      }
    }
    if (!hasAcquired && (shape_.isStateful() || shape_.hasPayload(look.length))) {
      ring_.acquireRequest();
    }
  }

  /**
   * Decides who handles what was found. The other warps wait at the barrier of the next request
   * that is theirs as well, where they cost nothing.
   */
  __device__ void gather(const Order& order) {
    if (!ONE_WARP) {
      bool isAlone = order.kind != Order::LEAVE && order.length < launch_.allThreadsFrom;
      crew_ = crew_.first(isAlone ? machine::WARP : launch_.threadsPerWorker);
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
    Order::Kind kind = order.kind;
    if (kind == Order::SERVE && shape_.isLargeRequest(order.length)) {
      kind = stageLarge(order);
    }
    if (kind == Order::LEAVE) {
      return false;
    }
    if (kind == Order::RETURN_WITHDRAWN) {
      // All have read the order before the first warp gives another.
      crew_.sync();
    }
    bool assists = IS_CALLED && kind == Order::ASSIST;
    Outcome outcome = kind == Order::SERVE || assists
                          ? handle(order, assists)
                          : Outcome{MessageKind::WITHDRAWN, 0, 0, collect(order)};
    if (assists) {
      endAssistance(waiting);
      return true;
    }
    if (shape_.isCooperative() && machine::peek(shared_.meeting.state) == Meeting::ABANDONED) {
      return false;
    }
    if (!crew_.isFirstWarp()) {
      return true;
    }
    if (shape_.isLargeResponse(outcome.length)) {
      if (crew_.thread() == 0) {
        ring_.answerLarge(outcome.reply, outcome.length);
      }
    } else {
      if (shape_.isStateful()) {
        ring_.releaseState();
      }
      ring_.answer(outcome.reply, crew_.thread(), outcome.length, outcome.kind, outcome.detail,
                   reinterpret_cast<const uint32_t*>(smallResponse()));
    }
    stopwatch.stop(crew_.thread());
    if (crew_.thread() == 0) {
      waiting.answered();
      account(outcome.kind);
    }
    __syncwarp();
    return true;
  }

  /** Goes on with the ticket that was held; the order has been read by all. */
  __device__ void endAssistance(Waiting& waiting) {
    if (crew_.thread() == 0) {
      keepHouse(WorkerReport::now(), false);
    }
    waiting.resume(shared_.meeting.ticket);
  }

  /** Handles a request, or assists; all threads agree on what came of it. */
  __device__ Outcome handle(const Order& order, bool assists) {
    const uint8_t* request = shape_.isLargeRequest(order.length) ? staging() : smallRequest();
    uint8_t* distant = distantResponse();
    uint8_t* nearby = fixedResponse(distant);
    if (!shape_.isResponseNearby()) {
      clear(distant, shape_.responseFixedBytes(), crew_);
      crew_.sync();
    }
    // The slot of a worker that assists is not claimed.
    uint8_t* payload = assists ? nullptr : ring_.responsePayload(order.place);
    if (!assists) {
      machine::mayWrite(payload);
    }
    ResponseBuilder response = emptyResponse(nearby, distant, payload);
    Context context(crew_, index(), launch_, block_, shared_.failure, shared_.meeting, response,
                    assists);
    Handled handled = Handling::handle(shared_, context, request, order.length, nearby);
    // All have looked at the request before the first warp stages another.
    crew_.sync();
    if (assists) {
      return {};
    }
    bool failed = hasFailed();
    if (shape_.isLargeResponse(handled.length)) {
      if (!failed) {
        copyToHost(ring_.responsePayload(order.place), response, handled.length, crew_);
      }
      // All have looked whether it failed before the first warp resets that, and have stored their
      // part before it releases the whole.
      crew_.sync();
    }
    Reply reply = collect(order);
    if (failed) {
      return {MessageKind::HANDLER_FAILED, 0, static_cast<uint32_t>(shared_.failure.code), reply};
    }
    return {handled.kind, handled.length, 0, reply};
  }

  /**
   * Copies a large request into device memory; tells all threads what to do with it. If the launch
   * ends before the host has copied it, it is left to the next.
   */
  __device__ Order::Kind stageLarge(const Order& order) {
    RequestStaging<Shape> staged(ring_, crew_, shared_.part, staging());
    RequestState state =
        staged.copy(order.place, order.length, order.available, [this](uint32_t lane) {
          if (lane == 0) {
            keepHouse(WorkerReport::now(), false);
          }
          __syncwarp();
          return !__any_sync(machine::ALL_LANES, block_.leaves());
        });
    return state == RequestState::PRESENT     ? Order::SERVE
           : state == RequestState::WITHDRAWN ? Order::RETURN_WITHDRAWN
                                              : Order::LEAVE;
  }

  __device__ Reply collect(const Order& order) const {
    return ring_.collect(order.place, crew_.thread(),
                         reinterpret_cast<const uint32_t*>(smallResponse()));
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
