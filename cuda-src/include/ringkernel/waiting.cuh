// How a worker waits for the request of its ticket: when to look, how long to sleep, when to look
// for commands. Held by the first warp, whose lanes agree on it all.
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
      : block_(block), heldTicket_(heldTicket), since_(since) {}

  /** What to do next. */
  enum Turn : uint32_t {
    /** Look at the position. */
    LOOK,
    /** Others are to poll the bus first. */
    DOZE,
    LEAVE
  };

  /**
   * Says what to do next, taking a ticket if none is held: its position is looked at once even
   * where others wait in front, since under load the request is there. It is looked at now and then
   * as well: those in front may wait for requests that were claimed and are not yet published.
   */
  __device__ Turn turn(uint32_t lane) {
    uint32_t turn = LOOK;
    if (lane == 0) {
      if (block_.leaves()) {
        turn = LEAVE;
      } else if (heldTicket_ != 0 && dozes_ < DOZES_BEFORE_LOOK &&
                 !block_.mayPoll(heldTicket_ - 1)) {
        turn = DOZE;
      }
    }
    turn = __shfl_sync(machine::ALL_LANES, turn, 0);
    if (turn == LOOK && heldTicket_ == 0) {
      take(lane);
    }
    return static_cast<Turn>(turn);
  }

  __device__ uint64_t position() const { return block_.position(heldTicket_ - 1); }

  /**
   * Whether to look at the void range as well. At first: where there is a backlog, a request may
   * have been withdrawn before its turn came, and the second read hides behind the first. Then
   * rarely: a request that appears while it is waited for was published a microsecond ago.
   */
  __device__ bool withVoidRange() const { return looks_ % LOOKS_PER_VOID_RANGE == 0; }

  /** The request is there: the ticket is used up. */
  __device__ void found(uint32_t lane) {
    if (lane == 0) {
      block_.begin(looks_);
    }
    skip();
  }

  /** Goes on with another position. */
  __device__ void skip() {
    heldTicket_ = 0;
    looks_ = 0;
    dozes_ = 0;
  }

  /**
   * Lets time pass after a look in vain.
   * @param isStale whether there is something to tell
   * @return whether to tell how things are
   */
  __device__ bool rest(uint32_t lane, const Launch& launch, bool isStale) {
    looks_++;
    dozes_ = 0;
    if (lane == 0) {
      if (looks_ % LOOKS_PER_CLOCK == 0) {
        block_.restIfIdle(since_);
      }
      if (looks_ % LOOKS_PER_COMMAND == 0) {
        block_.obey(launch);
      }
    }
    if (looks_ >= LOOKS_BEFORE_SLEEP) {
      machine::pause(looks_ < LOOKS_BEFORE_LONG_SLEEP ? SLEEP_NANOS : LONG_SLEEP_NANOS);
    }
    __syncwarp();
    return looks_ % LOOKS_PER_HEARTBEAT == 0 || (isStale && looks_ % LOOKS_PER_COMMAND == 0);
  }

  /**
   * Lets time pass while others poll.
   * @return whether to tell how things are
   */
  __device__ bool doze(bool isStale) {
    machine::pause(SLEEP_NANOS);
    return ++dozes_ == DOZES_BEFORE_LOOK && isStale;
  }

  /** What to resume with: the ticket plus one, or 0. */
  __device__ uint64_t heldTicket() const { return heldTicket_; }

 private:
  // A look takes a microsecond, which is what the reasons below count in.

  /** A void position holds its worker up for so long, and no other. */
  static constexpr uint32_t LOOKS_PER_VOID_RANGE = 8;

  /** The step of an idle budget, of which a user asks for hundreds of microseconds. */
  static constexpr uint32_t LOOKS_PER_CLOCK = 8;

  /** A command is one more read of the bus; a stop may take 0.1 ms. */
  static constexpr uint32_t LOOKS_PER_COMMAND = 64;

  /** As so many dozes take 60 us, 512 workers that doze read the bus as often as ten that poll. */
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
  uint32_t looks_ = 0;
  uint32_t dozes_ = 0;

  __device__ void take(uint32_t lane) {
    uint64_t ticket = lane == 0 ? block_.takeTicket() : 0;
    heldTicket_ = __shfl_sync(machine::ALL_LANES, ticket, 0) + 1;
  }
};

}  // namespace ringkernel
