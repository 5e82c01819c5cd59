// How a worker waits for the request of its ticket: how often to look, how long to sleep, when to
// look for commands. Held by the first warp, whose lanes agree on it all.
#pragma once

#include <ringkernel/block.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

class Waiting {
 public:
  /**
   * @param heldTicket what to resume with
   * @param since in shared memory, for the first lane only
   */
  __device__ Waiting(Block& block, uint64_t heldTicket, Block::IdleSince& since)
      : block_(block), heldTicket_(heldTicket), since_(since), isCounted_(block.isCounted()) {}

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
    bool once =
        looks_ == 0 || looks_ >= LOOKS_BEFORE_SLEEP || block_.isGated() || block_.endsAtOnce();
    return once ? 1 : LOOKS_PER_REST - looks_ % LOOKS_PER_REST;
  }

  /**
   * Whether to look at the range of void positions as well: not at first, since under load the
   * request is there; then soon, for a position that was passed over must not hold its worker up;
   * then rarely, since a position that is waited for is passed over only while the host is slow.
   * Where there is one look only, it has to be both.
   */
  __device__ bool withVoidRange() const {
    return looks_ == 0 ? block_.endsAtOnce() : looks_ == 1 || looks_ % LOOKS_PER_VOID_RANGE == 0;
  }

  /** The request is there: the ticket is used up. */
  __device__ void found(uint32_t lane) {
    if (isCounted_ && lane == 0) {
      block_.lookedWell(since_);
      block_.begin(looks_);
    }
    skip();
  }

  /** The request that was found is answered. */
  __device__ void answered() {
    if (isCounted_) {
      block_.end();
    }
  }

  /** Goes on with another position. */
  __device__ void skip() {
    heldTicket_ = 0;
    looks_ = 0;
  }

  /**
   * Lets time pass after looks in vain: while others are to poll first, or, when nothing has come
   * for a while, a moment.
   * @param isStale whether there is something to tell
   * @return whether to tell how things are
   */
  __device__ bool rest(uint32_t lane, const Launch& launch, bool isStale) {
    looks_ += looks();
    if (lane == 0) {
      if (block_.endsAtOnce()) {
        block_.lookedInVain(since_);
      } else if (looks_ % LOOKS_PER_REST == 0) {
        block_.restIfIdle(since_);
      }
      if (looks_ % LOOKS_PER_COMMAND == 0) {
        block_.obey(launch);
      }
    }
    if (looks_ >= LOOKS_BEFORE_SLEEP) {
      machine::pause(looks_ < LOOKS_BEFORE_LONG_SLEEP ? SLEEP_NANOS : LONG_SLEEP_NANOS);
    }
    bool dozed = block_.isGated() && doze(lane);
    __syncwarp();
    return looks_ % LOOKS_PER_HEARTBEAT == 0 ||
           (isStale && (dozed || looks_ % LOOKS_PER_COMMAND == 0));
  }

  /** A request that was found is to be found again. */
  __device__ void resume(uint64_t heldTicket) { heldTicket_ = heldTicket; }

  /** What to resume with: the ticket plus one, or 0. */
  __device__ uint64_t heldTicket() const { return heldTicket_; }

 private:
  // A look takes a microsecond, which is what the reasons below count in.

  /**
   * Looks in a row with nothing between them. It is also the step of an idle budget, of which a
   * user asks for hundreds of microseconds.
   */
  static constexpr uint32_t LOOKS_PER_REST = 8;

  /** The ranges of sixteen slots share a line, and of each line the bus reads one at a time. */
  static constexpr uint32_t LOOKS_PER_VOID_RANGE = 32;

  /** A command is one more read of the bus; a stop may take 0.1 ms. */
  static constexpr uint32_t LOOKS_PER_COMMAND = 64;

  /**
   * As so many dozes take 60 us, 512 workers that doze read the bus as often as ten that poll. They
   * look now and then, as those in front may wait for requests that were claimed and are not yet
   * published.
   */
  static constexpr uint32_t DOZES_BEFORE_LOOK = 256;

  /** A heartbeat every millisecond or two. */
  static constexpr uint32_t LOOKS_PER_HEARTBEAT = 1024;

  /** Requests that follow each other closely find the worker awake. */
  static constexpr uint32_t LOOKS_BEFORE_SLEEP = 200;

  /** A sleep as short as this was not measurable in the latency of a request. */
  static constexpr uint32_t SLEEP_NANOS = 200;

  /** After a tenth of a second, 0.4 us of latency are worth less than a quiet bus. */
  static constexpr uint32_t LOOKS_BEFORE_LONG_SLEEP = 1 << 16;
  static constexpr uint32_t LONG_SLEEP_NANOS = 1000;

  Block& block_;
  uint64_t heldTicket_;
  Block::IdleSince& since_;
  bool isCounted_;
  uint32_t looks_ = 0;

  /**
   * Sleeps while others are to poll the bus first.
   * @return whether it slept for as long as it may
   */
  __device__ bool doze(uint32_t lane) {
    uint32_t dozes = 0;
#pragma unroll 1
    while (dozes < DOZES_BEFORE_LOOK &&
           __any_sync(machine::ALL_LANES,
                      lane == 0 && !block_.leaves() && !block_.mayPoll(heldTicket_ - 1))) {
      machine::pause(SLEEP_NANOS);
      dozes++;
    }
    return dozes == DOZES_BEFORE_LOOK;
  }
};

}  // namespace ringkernel
