// What the workers of a block share: who takes which position, who may poll the bus, and when all
// of them leave.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

/**
 * What a block leaves behind for its next launch. That of the first block holds what all blocks of
 * a launch agree on as well.
 */
struct alignas(32) BlockState {
  unsigned long long nextTicket;
  uint32_t leave;
  uint32_t idleBlocks;
  uint32_t blocksLeft;
  /** How many workers wait for the others, and above that in which of their meetings. */
  unsigned long long meeting;
};

/**
 * Lives in shared memory. A ticket is the block's count of positions: ticket t of block b out of B
 * is position b + t * B from the start. Workers take tickets as they become free, so a slow request
 * holds up its own worker and no position but its own.
 */
class Block {
 public:
  /**
   * How many workers of a kernel poll the bus while it is idle: as many as cost nothing measurable
   * in the latency of a request. 512 that poll slow the bus down tenfold.
   */
  static constexpr uint32_t IDLE_POLLERS = 32;

  /** With one alone, a position that is published late would hold up all others of its block. */
  static constexpr uint32_t MIN_IDLE_POLLERS_PER_BLOCK = 2;

  /** Prepares the block; called by all its threads. */
  __device__ void enter(const Launch& launch) {
    const auto* lines = reinterpret_cast<const uint8_t*>(launch.memory);
    constexpr uint32_t PAIRS = (sizeof(Identity) + sizeof(HostLine)) / sizeof(machine::Pair);
    // One read of the bus per launch, as an event-driven kernel has a launch per burst.
    if (threadIdx.x < PAIRS) {
      head_[threadIdx.x] = machine::loadPair(lines + threadIdx.x * sizeof(machine::Pair));
    }
    if (threadIdx.x == 0) {
      uint32_t first = blockIdx.x * launch.workersPerBlock;
      uint32_t remaining = launch.workers - first;
      workers_ = remaining < launch.workersPerBlock ? remaining : launch.workersPerBlock;
      uint32_t share = IDLE_POLLERS / gridDim.x;
      idleWindow_ = share < MIN_IDLE_POLLERS_PER_BLOCK ? MIN_IDLE_POLLERS_PER_BLOCK : share;
      window_ = idleWindow_;
      states_ = reinterpret_cast<BlockState*>(launch.state);
      ticketBase_ = states_[blockIdx.x].nextTicket;
      nextTicket_ = static_cast<uint32_t>(ticketBase_);
      limit_ = (launch.iterationLimit + gridDim.x - 1) / gridDim.x;
      idleBudgetNanos_ = launch.idleBudgetNanos;
      handling_ = 0;
      answered_ = 0;
      idle_ = 0;
      lookedInVain_ = 0;
      workersLeft_ = 0;
      leave_ = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      leave_ = isIdentified() && host().command == Command::RUN ? 0 : 1;
    }
    __syncthreads();
  }

  /**
   * Keeps what the next launch needs; called by one thread of each worker as its last. There is no
   * barrier of the block's, which is that of its first worker (and which workers need not reach
   * at the same time).
   */
  __device__ void exit() {
    __threadfence_block();
    if (atomicAdd(&workersLeft_, 1) != workers_ - 1) {
      return;
    }
    states_[blockIdx.x].nextTicket = ticket(machine::peek(nextTicket_));
    // The last block clears what all agreed on: no other looks at it any more.
    if (atomicAdd(&states_[0].blocksLeft, 1) == gridDim.x - 1) {
      states_[0].leave = 0;
      states_[0].idleBlocks = 0;
      states_[0].blocksLeft = 0;
    }
  }

  __device__ bool isIdentified() const {
    return identity().magic == REGION_MAGIC && identity().abiVersion == ABI_VERSION;
  }

  __device__ const Identity& identity() const { return *reinterpret_cast<const Identity*>(head_); }

  __device__ uint32_t workers() const { return workers_; }

  /** How many requests a worker answers between two looks for a command. */
  __device__ uint32_t maxPerIteration() const { return host().maxPerIteration; }

  // The following are called by one thread of a worker.

  /**
   * Takes a ticket. It is counted in 32 bits, as shared memory has no 64-bit addition, and widened
   * by a base that whoever comes by a multiple of a billion moves there.
   */
  __device__ uint64_t takeTicket() {
    uint32_t low = atomicAdd(&nextTicket_, 1u);
    uint64_t taken = ticket(low);
    if (low % TICKETS_PER_BASE == 0) {
      machine::poke(ticketBase_, taken);
    }
    return taken;
  }

  /** The position of a ticket. */
  __device__ uint64_t position(uint64_t ticket) const {
    return identity().startPosition + blockIdx.x + ticket * gridDim.x;
  }

  /** Whether what happens to requests is counted: for the gate, an idle budget or a limit. */
  __device__ bool isCounted() const { return isGated() || idleBudgetNanos_ != 0 || limit_ != 0; }

  /** Whether only some of the workers may poll the bus while it is idle. */
  __device__ bool isGated() const { return idleWindow_ < workers_; }

  __device__ bool leaves() const { return machine::peek(leave_) != 0; }

  /**
   * Whether the holder of a ticket may poll the bus: it is among the first of those that wait. The
   * very first may, because at most as many tickets as workers wait, all different and all before
   * the next one. A worker that is about to take a ticket counts as one that waits, so the gate can
   * be too narrow until it has taken it, which it does at once.
   */
  __device__ bool mayPoll(uint64_t ticket) const {
    uint32_t waiting = workers_ - machine::peek(handling_);
    uint32_t behind = machine::peek(nextTicket_) - static_cast<uint32_t>(ticket);
    return static_cast<int32_t>(waiting - behind) < static_cast<int32_t>(machine::peek(window_));
  }

  /**
   * A request was found.
   * @param looks how many looks in vain it took
   */
  __device__ void begin(uint32_t looks) {
    atomicAdd(&handling_, 1);
    // Found at once: there is a backlog, more may poll. Found after some looks: the pollers are
    // more than the requests that come. A lost update of this heuristic does no harm.
    uint32_t window = machine::peek(window_);
    if (looks == 0 && window < workers_) {
      machine::poke(window_, window + 2);
    } else if (looks >= 4 && window > idleWindow_) {
      machine::poke(window_, window - 1);
    }
    if (machine::peek(idle_) != 0) {
      resume();
    }
  }

  /** The request that was begun is answered. */
  __device__ void end() {
    atomicSub(&handling_, 1);
    if (limit_ != 0 && atomicAdd(&answered_, 1ull) + 1 >= limit_) {
      leaveAll();
    }
  }

  /** Looks for what the host and the other blocks say. It costs a read of the bus. */
  __device__ void obey(const Launch& launch) {
    // Stale is harmless, so nothing is ordered: what the host did before it gave the command is
    // of no concern to a worker that leaves, and a launch orders what it did before RUN.
    auto command = machine::loadInt(reinterpret_cast<const uint8_t*>(launch.memory) +
                                    offsetof(ControlBlock, host));
    if (command != static_cast<uint32_t>(Command::RUN) || othersLeave()) {
      machine::poke(leave_, 1u);
    }
  }

  /**
   * Waits for all workers of the kernel; called by one thread of each. A worker gives up only while
   * others are missing, which the count tells that is exchanged: who gave up was in no meeting.
   * @param mayGiveUp whether it does not wait any longer when the kernel is to end
   * @return whether all have come
   */
  __device__ bool meetAll(const Launch& launch, bool mayGiveUp) {
    unsigned long long* meeting = &states_[0].meeting;
    __threadfence();
    unsigned long long seen = atomicAdd(meeting, 1ull) + 1;
    auto number = static_cast<uint32_t>(seen >> 32);
    if (static_cast<uint32_t>(seen) == launch.workers) {
      atomicAdd(meeting, (1ull << 32) - launch.workers);
    }
    for (uint32_t looks = 1; (seen = atomicAdd(meeting, 0ull)) >> 32 == number; looks++) {
      if (mayGiveUp && leaves() && static_cast<uint32_t>(seen) < launch.workers &&
          atomicCAS(meeting, seen, seen - 1) == seen) {
        return false;
      }
      if (looks % LOOKS_PER_COMMAND == 0) {
        obey(launch);
      }
      machine::pause(MEETING_NANOS);
    }
    __threadfence();
    return true;
  }

  /** Since when nothing has happened in the block, and whether its worker has looked in vain. */
  struct IdleSince {
    uint32_t ticket;
    uint32_t hasLooked;
    uint64_t nanos;
  };

  __device__ IdleSince idleFromNow() const {
    return {machine::peek(nextTicket_), 0, idleBudgetNanos_ == 0 ? 0 : machine::nanoTime()};
  }

  /** Whether a launch ends as soon as it finds nothing. */
  __device__ bool endsAtOnce() const { return idleBudgetNanos_ == ENDS_WHEN_IT_FINDS_NOTHING; }

  /**
   * A worker has looked in vain in a launch that ends at once: which it does when all have, since
   * they found something last. The last of a block to look speaks for it.
   */
  __device__ void lookedInVain(IdleSince& since) {
    if (since.hasLooked != 0) {
      obeyOthers();
    } else {
      since.hasLooked = 1;
      if (atomicAdd(&lookedInVain_, 1u) == workers_ - 1) {
        becomeIdle();
      }
    }
  }

  /** It has found something. */
  __device__ void lookedWell(IdleSince& since) {
    if (since.hasLooked != 0) {
      since.hasLooked = 0;
      atomicSub(&lookedInVain_, 1u);
    }
  }

  /**
   * Leaves if the whole kernel has been idle for its budget. The blocks leave together: a block
   * that left alone would keep the requests of its positions waiting for as long as the others are
   * busy.
   */
  __device__ void restIfIdle(IdleSince& since) {
    if (idleBudgetNanos_ == 0) {
      return;
    }
    if (machine::peek(handling_) != 0 || machine::peek(nextTicket_) != since.ticket) {
      since = idleFromNow();
    } else if (machine::nanoTime() - since.nanos >= idleBudgetNanos_) {
      becomeIdle();
    }
  }

 private:
  static constexpr uint32_t TICKETS_PER_BASE = 1u << 30;

  /** Between two looks whether a meeting has come about: a look takes as long. */
  static constexpr uint32_t MEETING_NANOS = 500;

  /** A command is a read of the bus; a stop may take 0.1 ms. */
  static constexpr uint32_t LOOKS_PER_COMMAND = 64;

  machine::Pair head_[(sizeof(Identity) + sizeof(HostLine)) / sizeof(machine::Pair)];
  BlockState* states_;
  unsigned long long answered_;
  uint64_t limit_;
  uint64_t idleBudgetNanos_;
  uint64_t ticketBase_;
  uint32_t nextTicket_;
  uint32_t workers_;
  uint32_t handling_;
  uint32_t window_;
  uint32_t idleWindow_;
  uint32_t idle_;
  uint32_t lookedInVain_;
  uint32_t workersLeft_;
  uint32_t leave_;

  /**
   * A ticket of which the low bits are known. It is less than four billion past the base: the
   * base is moved a billion at a time by whoever takes such a ticket, between two instructions.
   */
  __device__ uint64_t ticket(uint32_t low) const {
    uint64_t base = machine::peek(ticketBase_);
    return base + (low - static_cast<uint32_t>(base));
  }

  __device__ const HostLine& host() const {
    return *reinterpret_cast<const HostLine*>(head_ + sizeof(Identity) / sizeof(machine::Pair));
  }

  __device__ void leaveAll() {
    machine::poke(leave_, 1u);
    if (gridDim.x > 1) {
      atomicExch(&states_[0].leave, 1);
    }
  }

  __device__ bool othersLeave() const {
    return gridDim.x > 1 && atomicAdd(&states_[0].leave, 0) != 0;
  }

  __device__ void obeyOthers() {
    if (othersLeave()) {
      machine::poke(leave_, 1u);
    }
  }

  /** The block has nothing to do: if no other has, all leave. */
  __device__ void becomeIdle() {
    if (atomicCAS(&idle_, 0, 1) == 0 && atomicAdd(&states_[0].idleBlocks, 1) == gridDim.x - 1) {
      leaveAll();
    } else {
      obeyOthers();
    }
  }

  __device__ void resume() {
    if (atomicCAS(&idle_, 1, 0) == 1) {
      atomicSub(&states_[0].idleBlocks, 1);
    }
  }
};

}  // namespace ringkernel
