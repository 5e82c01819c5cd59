// How a worker waits for the request of its ticket: how often to look, how long to sleep, whether
// to leave the bus to others. Held by the first warp, whose lanes agree on it all.
#pragma once

#include <ringkernel/assistance.cuh>
#include <ringkernel/block.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

/** @tparam Called the state that the workers are called in; void where none calls */
template <typename Called>
class Waiting {
 public:
  /**
   * @param heldTicket what to resume with: the launch before has looked at its position, and may
   * not have come to a second look
   * @param stay in shared memory, for the first lane only
   */
  __device__ Waiting(const Launch& launch, Block& block, uint64_t heldTicket, Block::Stay& stay)
      : block_(block),
        calls_(launch),
        heldTicket_(heldTicket),
        stay_(stay),
        isCounted_(block.isCounted()),
        isGated_(block.isGated()),
        looks_(heldTicket != 0) {}

  /**
   * Whether another worker calls, for the first lane: read with each look at the bus, which takes
   * longer.
   */
  __device__ bool isCalled(uint32_t lane) const { return lane == 0 && calls_.areOpen(); }

  /**
   * Takes a ticket if none is held. Its position is looked at even where others wait in front,
   * since under load the request is there.
   */
  __device__ void hold(uint32_t lane) {
    if (heldTicket_ == 0) {
      uint64_t ticket = lane == 0 ? block_.takeTicket() : 0;
      heldTicket_ = __shfl_sync(machine::ALL_LANES, ticket, 0) + 1;
    }
  }

  __device__ uint64_t position() const { return block_.position(heldTicket_ - 1); }

  /** How often to look before something else is seen to: once, as long as nothing is known. */
  __device__ uint32_t looks() const {
    bool once = Calls<Called>::EXIST || looks_ == 0 || looks_ >= LOOKS_BEFORE_SLEEP ||
                mayHaveToDoze() || block_.endsAtOnce();
    return once ? 1 : LOOKS_PER_REST - looks_ % LOOKS_PER_REST;
  }

  /**
   * What to look for: a request like the last one, unless none has come for a while. All lanes
   * agree.
   */
  __device__ Block::Expected expected(uint32_t lane) const {
    auto expected = lane == 0 && looks_ < LOOKS_BEFORE_SLEEP
                        ? static_cast<uint32_t>(block_.expected())
                        : static_cast<uint32_t>(Block::Expected::ONE_ROW);
    return static_cast<Block::Expected>(__shfl_sync(machine::ALL_LANES, expected, 0));
  }

  /**
   * Whether to look at the laps that were skipped as well: not at first, since under load the
   * request is there; then soon, for a position that was passed over must not hold its worker up;
   * then rarely, since a position that is waited for is passed over only while the host is slow.
   * Where there is one look only, it has to be both.
   */
  __device__ bool withSkippedLaps() const {
    return looks_ == 0 ? block_.endsAtOnce() : looks_ == 1 || looks_ % LOOKS_PER_SKIPPED_LAPS == 0;
  }

  /** The request is there: the ticket is used up. */
  __device__ void found(uint32_t lane) {
    if (isCounted_ && lane == 0) {
      block_.begin(stay_);
    }
    skip(lane);
  }

  /** The request that was found is answered. */
  __device__ void answered() {
    if (isCounted_) {
      block_.end(stay_);
    }
  }

  /** Goes on with another position. */
  __device__ void skip(uint32_t lane) {
    if (isGated_ && lane == 0) {
      block_.reach(heldTicket_ - 1);
    }
    beginAnew();
  }

  /**
   * Holds nothing. Called for all warps before a request is handled, so that the compiler knows
   * that nothing of the wait lives on meanwhile, and keeps no registers for it.
   */
  __device__ void beginAnew() {
    heldTicket_ = 0;
    looks_ = 0;
    isInFront_ = false;
  }

  /**
   * Lets time pass after looks in vain: while others are to poll first, or, when nothing has come
   * for a while, a moment.
   * @return whether another worker has called meanwhile
   */
  __device__ bool rest(uint32_t lane) {
    looks_ += looks();
    if (lane == 0 && block_.endsAtOnce()) {
      block_.lookedInVain(stay_);
    }
    if (looks_ >= LOOKS_BEFORE_SLEEP) {
      machine::pause(looks_ < LOOKS_BEFORE_LONG_SLEEP ? SLEEP_NANOS : LONG_SLEEP_NANOS);
    }
    bool isCalled = mayHaveToDoze() && doze(lane);
    __syncwarp();
    return isCalled;
  }

  /**
   * A ticket whose position was looked at is held again. Who is called again and again never comes
   * to a second look.
   */
  __device__ void resume(uint64_t heldTicket) {
    heldTicket_ = heldTicket;
    looks_ = 1;
  }

  /** What to resume with: the ticket plus one, or 0. */
  __device__ uint64_t heldTicket() const { return heldTicket_; }

 private:
  // A look takes a microsecond, which is what the reasons below count in.

  /** Looks in a row with nothing between them. */
  static constexpr uint32_t LOOKS_PER_REST = 8;

  /** Each is a read of a line that nothing else is read from. */
  static constexpr uint32_t LOOKS_PER_SKIPPED_LAPS = 32;

  /** Between two looks how far the others are, which is a read of device memory. */
  static constexpr uint32_t DOZE_NANOS = 1000;

  /**
   * As so many dozes take 60 us, 512 workers that doze read the bus as often as ten that poll. They
   * look now and then, as those in front may wait for requests that were claimed and are not yet
   * published.
   */
  static constexpr uint32_t DOZES_BEFORE_LOOK = 40;

  /** By what factor more requests may have come than others have found since a moment ago. */
  static constexpr int64_t GROWTH = 4;

  /** Requests that follow each other closely find the worker awake. */
  static constexpr uint32_t LOOKS_BEFORE_SLEEP = 200;

  /** A sleep as short as this was not measurable in the latency of a request. */
  static constexpr uint32_t SLEEP_NANOS = 200;

  /** After a tenth of a second, 0.4 us of latency are worth less than a quiet bus. */
  static constexpr uint32_t LOOKS_BEFORE_LONG_SLEEP = 1 << 16;
  static constexpr uint32_t LONG_SLEEP_NANOS = 1000;

  Block& block_;
  Calls<Called> calls_;
  uint64_t heldTicket_;
  Block::Stay& stay_;
  bool isCounted_;
  bool isGated_;
  /** Whether the ticket is one of the first that are waited for: that it stays. */
  bool isInFront_ = false;
  uint32_t looks_;

  __device__ bool mayHaveToDoze() const { return isGated_ && !isInFront_; }

  /**
   * Sleeps while others are to poll the bus first: until the ticket is one of the first, or others
   * have found so many requests meanwhile that this one may well be there too, or call.
   * @return whether they call
   */
  __device__ bool doze(uint32_t lane) {
    uint64_t reached = lane == 0 ? block_.reached() : 0;
    int64_t pollers = block_.pollers();
    int64_t reach = pollers;
#pragma unroll 1
    for (uint32_t dozes = 0; dozes < DOZES_BEFORE_LOOK; dozes++) {
      int64_t ahead = block_.ahead(heldTicket_ - 1, reached);
      isInFront_ = __any_sync(machine::ALL_LANES, lane == 0 && ahead < pollers);
      if (__any_sync(machine::ALL_LANES, lane == 0 && (ahead < reach || block_.leaves()))) {
        return false;
      }
      machine::pause(DOZE_NANOS);
      if (Calls<Called>::EXIST && __any_sync(machine::ALL_LANES, isCalled(lane))) {
        return true;
      }
      if (lane == 0) {
        uint64_t now = block_.reached();
        int64_t grown = GROWTH * static_cast<int64_t>(now - reached);
        reach = grown > pollers ? grown : pollers;
        reached = now;
      }
    }
    return false;
  }
};

}  // namespace ringkernel
