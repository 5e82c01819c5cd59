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
struct BlockState {
  unsigned long long nextTicket;
  /** An Ending. */
  uint32_t ending;
  uint32_t idleBlocks;
  uint32_t readyBlocks;
  uint32_t blocksLeft;
  /** How many workers wait for the others, and above that in which of their meetings. */
  unsigned long long meeting;
  /** Behind the last request that any worker has found, counted from the start. */
  unsigned long long reached;
  /** When a block has looked for a command last. */
  unsigned long long obeyedAt;
  /** The number of the launch, below a one at KNOWN_NUMBER; ASKED_NUMBER or 0 before. */
  unsigned long long number;
  /** That of the ring, once a launch has read it there; zero before. Each block has its own. */
  Identity identity;
};

/** How near a launch is to its end. */
enum class Ending : uint32_t {
  /** There is none in sight. */
  NONE,
  /**
   * The launch has come to a limit. It goes on for as long as requests are handled that were begun
   * before: whoever waits for a slow one may as well answer others.
   */
  DUE,
  /** The block has none of these any more. */
  READY,
  /** All leave. */
  LEAVES
};

/** The number whose low bits are known, and which is less than two billion before or past another.
 */
__device__ constexpr uint64_t widened(uint32_t low, uint64_t near) {
  return near + static_cast<int32_t>(low - static_cast<uint32_t>(near));
}

static_assert(widened((1u << 30) - 1, 1ull << 30) == (1ull << 30) - 1);
static_assert(widened(1u << 30, (1ull << 30) - 1) == 1ull << 30);
static_assert(widened(0, (1ull << 32) - (1ull << 30)) == 1ull << 32);

/**
 * Lives in shared memory. A ticket is the block's count of positions: ticket t of block b out of B
 * is position b + t * B from the start. Workers take tickets as they become free, so a slow request
 * holds up its own worker and no position but its own.
 */
class Block {
 public:
  /**
   * How many workers of a kernel that stays poll the bus while it is idle. All kernels of a device
   * share the bus: with 32 pollers each, a call takes 1.8 times as long beside 47 idle kernels as
   * alone, with 8 it takes 1.1 times as long. With 4, eight callers of one kernel get four fifths
   * of the answers (H100).
   */
  static constexpr uint32_t IDLE_POLLERS = 8;

  /**
   * How many rows of slots the workers of a launch poll that ends when it is idle. It does not poll
   * for long, and what it does not find takes another launch.
   */
  static constexpr uint32_t LAUNCHED_ROWS = 32;

  /**
   * Prepares the block; called by all its threads. The first launch of a session reads what the
   * ring is like, and whether it is to run at all, over the bus. Later ones remember the ring and
   * look for a command when they keep house: eight blocks that read the same line one after the
   * other take 5 us, which is half of what a launch for one request takes (H200).
   */
  __device__ void enter(const Launch& launch) {
    auto* states = reinterpret_cast<BlockState*>(launch.state);
    if (threadIdx.x < IDENTITY_PAIRS) {
      head_[threadIdx.x] = remembered(states)[threadIdx.x];
    }
    if (threadIdx.x == 0) {
      uint32_t first = blockIdx.x * launch.workersPerBlock;
      uint32_t remaining = launch.workers - first;
      workers_ = remaining < launch.workersPerBlock ? remaining : launch.workersPerBlock;
      states_ = states;
      ticketBase_ = states_[blockIdx.x].nextTicket;
      nextTicket_ = static_cast<uint32_t>(ticketBase_);
      limit_ = (launch.iterationLimit + gridDim.x - 1) / gridDim.x;
      idleBudgetNanos_ = launch.idleBudgetNanos;
      timeLimitNanos_ = launch.timeLimitNanos;
      timeBegins_ = timeLimitNanos_ == 0 ? 0 : machine::nanoTime();
      keptAt_ = 0;
      handling_ = 0;
      answered_ = 0;
      idle_ = 0;
      lookedInVain_ = 0;
      workersLeft_ = 0;
      expected_ = Expected::ROWS;
      servingOrder_ = reinterpret_cast<const unsigned long long*>(launch.servingOrder);
      takenOver_ = launch.takenOver;
      number_ = 0;
      ending_ = Ending::NONE;
    }
    __syncthreads();
    if (!isIdentified()) {
      identify(launch);
    }
    if (threadIdx.x == 0) {
      servedFrom_ = servingOrder_ == nullptr ? identity().startPosition : servingOrder_[takenOver_];
      // More requests than slots are never there, and two workers that poll one slot wait for each
      // other: of each line the bus reads one at a time.
      uint32_t polled = idleBudgetNanos_ == 0
                            ? IDLE_POLLERS
                            : LAUNCHED_ROWS / rows(dataChunks(identity().requests.inlineBytes));
      pollers_ = polled < identity().slots ? polled : identity().slots;
      isGated_ = launch.workers > pollers_;
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
    __threadfence();
    if (atomicAdd(&states_[0].blocksLeft, 1) == gridDim.x - 1) {
      __threadfence();
      states_[0].ending = 0;
      states_[0].idleBlocks = 0;
      states_[0].readyBlocks = 0;
      states_[0].number = 0;
      atomicExch(&states_[0].blocksLeft, 0);
    }
  }

  __device__ bool isIdentified() const {
    return identity().magic == REGION_MAGIC && identity().abiVersion == ABI_VERSION;
  }

  __device__ const Identity& identity() const { return *reinterpret_cast<const Identity*>(head_); }

  __device__ uint32_t workers() const { return workers_; }

  // The following are called by one thread of a worker.

  /**
   * The number of this launch. Over a bridge, 0. The first worker that asks reads it over the bus,
   * and the others of the kernel wait for it: all ask when a launch ends, and of one line the bus
   * serves one read at a time. Each worker asks before it exits.
   */
  __device__ uint32_t number(const Launch& launch) {
    unsigned long long known = atomicCAS(&number_, 0ull, ASKED_NUMBER);
    if (known == 0) {
      known = gridDim.x == 1 ? readNumber(launch) : numberOfAll(launch);
      machine::poke(number_, known);
    }
    while (known == ASKED_NUMBER) {
      machine::pause(ASKED_NANOS);
      known = machine::peek(number_);
    }
    return static_cast<uint32_t>(known);
  }

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

  /**
   * The position of a ticket: first those that the loop before has left unanswered, then every one
   * from its head on.
   *
   * No response is looked at. The host has done so when the loop before had ended, and nobody but
   * this kernel has answered since: the order is made behind that end and copied to the device
   * before the first launch, which orders the two.
   */
  __device__ uint64_t position(uint64_t ticket) const {
    uint64_t turn = fromStart(ticket);
    return turn < takenOver_ ? servingOrder_[turn] : servedFrom_ + (turn - takenOver_);
  }

  /** Whether what happens to requests is counted: for an idle budget or a limit. */
  __device__ bool isCounted() const {
    return idleBudgetNanos_ != 0 || limit_ != 0 || timeLimitNanos_ != 0;
  }

  __device__ bool leaves() const { return machine::peek(ending_) == Ending::LEAVES; }

  // The gate: the blocks have their positions in turn, so the next requests are those of the next
  // positions, whichever blocks have them.

  /** Whether only some of the workers may poll the bus while it is idle. */
  __device__ bool isGated() const { return isGated_ != 0; }

  /** How many may. */
  __device__ uint32_t pollers() const { return pollers_; }

  /** How far all workers together have come. It costs a read of the device's memory. */
  __device__ uint64_t reached() const { return machine::loadDevice(&states_[0].reached); }

  /** How far a ticket is ahead of that. */
  __device__ int64_t ahead(uint64_t ticket, uint64_t reached) const {
    return static_cast<int64_t>(fromStart(ticket) - reached);
  }

  /**
   * What the last request of the block was. The next one is expected to be alike: looks at three
   * rows take 0.3 us longer than looks at one, and a row that is read behind the first costs its
   * request 1.3 us; looks that acquire take up to 0.2 us longer, and a fence behind them 1.5 us
   * (H200).
   */
  enum class Expected : uint32_t { ONE_ROW, ROWS, PAYLOAD };

  __device__ Expected expected() const { return machine::peek(expected_); }

  /** Notes what a request is that was found. */
  __device__ void expect(Expected expected) { machine::poke(expected_, expected); }

  /** There is something at the position of a ticket. */
  __device__ void reach(uint64_t ticket) {
    machine::raise(&states_[0].reached, fromStart(ticket) + 1);
  }

  /** What a worker notes of its own, in shared memory; of no concern where nothing is counted. */
  struct Stay {
    /** Since when nothing has happened in the block, and how many tickets were taken then. */
    uint64_t idleSince;
    uint32_t ticket;
    /** Whether the worker has looked in vain. */
    uint32_t hasLooked;
    /** What its request counts in the number of those that are handled. */
    uint32_t share;
  };

  __device__ Stay stay() const {
    return {idleBudgetNanos_ == 0 ? 0 : machine::nanoTime(), machine::peek(nextTicket_), 0, 0};
  }

  /** A request was found. */
  __device__ void begin(Stay& stay) {
    if (stay.hasLooked != 0) {
      stay.hasLooked = 0;
      atomicSub(&lookedInVain_, 1u);
    }
    stay.share = machine::peek(ending_) == Ending::NONE ? BEGUN_BEFORE : BEGUN_LATER;
    atomicAdd(&handling_, stay.share);
    if (machine::peek(idle_) != 0) {
      resume();
    }
  }

  /** The request that was begun is answered. */
  __device__ void end(const Stay& stay) {
    atomicSub(&handling_, stay.share);
    if (limit_ != 0 && atomicAdd(&answered_, 1ull) + 1 >= limit_ &&
        machine::peek(ending_) == Ending::NONE) {
      comeToLimit();
    }
    if (machine::peek(ending_) == Ending::DUE) {
      leaveIfReady();
    }
  }

  /**
   * What one worker of a block does for all of them, every now and then: looks for a command, which
   * is a read of the bus, if it is the block's turn, for what the other blocks say, and at the
   * clock.
   */
  __device__ void keepHouse(const Launch& launch, uint64_t now) {
    if (now - machine::peek(keptAt_) < OBEY_NANOS) {
      return;
    }
    machine::poke(keptAt_, now);
    if (takesTurn(now)) {
      obeyHost(launch);
    }
    if (timeLimitNanos_ != 0 && now - timeBegins_ >= timeLimitNanos_) {
      comeToLimit();
    }
    obeyOthers();
    if (machine::peek(ending_) == Ending::DUE) {
      leaveIfReady();
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
    while ((seen = atomicAdd(meeting, 0ull)) >> 32 == number) {
      if (mayGiveUp && leaves() && static_cast<uint32_t>(seen) < launch.workers &&
          atomicCAS(meeting, seen, seen - 1) == seen) {
        return false;
      }
      keepHouse(launch, machine::nanoTime());
      machine::pause(MEETING_NANOS);
    }
    __threadfence();
    return true;
  }

  /** Whether a launch ends as soon as it finds nothing. */
  __device__ bool endsAtOnce() const { return idleBudgetNanos_ == ENDS_WHEN_IT_FINDS_NOTHING; }

  /**
   * A worker has looked in vain in a launch that ends at once: which it does when all have, since
   * they found something last. The last of a block to look speaks for it.
   */
  __device__ void lookedInVain(Stay& stay) {
    if (stay.hasLooked != 0) {
      obeyOthers();
    } else {
      stay.hasLooked = 1;
      if (atomicAdd(&lookedInVain_, 1u) == workers_ - 1) {
        becomeIdle();
      }
    }
  }

  /**
   * Leaves if the whole kernel has been idle for its budget. The blocks leave together: a block
   * that left alone would keep the requests of its positions waiting for as long as the others are
   * busy.
   */
  __device__ void restIfIdle(Stay& stay, uint64_t now) {
    if (idleBudgetNanos_ <= ENDS_WHEN_IT_FINDS_NOTHING) {
      return;
    }
    if (machine::peek(handling_) != 0 || machine::peek(nextTicket_) != stay.ticket) {
      stay.idleSince = now;
      stay.ticket = machine::peek(nextTicket_);
    } else if (now - stay.idleSince >= idleBudgetNanos_) {
      becomeIdle();
    }
  }

 private:
  static constexpr uint32_t TICKETS_PER_BASE = 1u << 30;

  /** Between two looks whether a meeting has come about: a look takes as long. */
  static constexpr uint32_t MEETING_NANOS = 500;

  /**
   * How long no block looks for a command once one has, and for how long a block does not ask what
   * the others have seen. A stop takes at most both.
   */
  static constexpr uint64_t OBEY_NANOS = 50'000;

  /** What a request counts while it is handled: whether it was begun before the end was due. */
  static constexpr uint32_t BEGUN_BEFORE = 1;
  static constexpr uint32_t BEGUN_LATER = 1 << 16;

  static constexpr uint32_t IDENTITY_PAIRS = sizeof(Identity) / sizeof(machine::Pair);

  /** The identity, and what begins with the command. */
  static constexpr uint32_t HEAD_PAIRS = IDENTITY_PAIRS + 1;

  /** What is added to the number of a launch that is known, and what stands for one that is not. */
  static constexpr unsigned long long KNOWN_NUMBER = 1ull << 32;
  static constexpr unsigned long long ASKED_NUMBER = 1;

  /** A read of the bus takes ten times as long. */
  static constexpr uint32_t ASKED_NANOS = 100;

  machine::Pair head_[HEAD_PAIRS];
  BlockState* states_;
  unsigned long long answered_;
  uint64_t limit_;
  uint64_t idleBudgetNanos_;
  uint64_t timeLimitNanos_;
  uint64_t timeBegins_;
  uint64_t keptAt_;
  uint64_t ticketBase_;
  unsigned long long number_;
  const unsigned long long* servingOrder_;
  /** The first position that was behind the head when this loop took the ring over. */
  uint64_t servedFrom_;
  uint32_t takenOver_;
  uint32_t nextTicket_;
  uint32_t workers_;
  uint32_t pollers_;
  uint32_t isGated_;
  uint32_t handling_;
  uint32_t idle_;
  uint32_t lookedInVain_;
  uint32_t workersLeft_;
  Expected expected_;
  Ending ending_;

  /** Where the position of a ticket lies, from the start. */
  __device__ uint64_t fromStart(uint64_t ticket) const { return blockIdx.x + ticket * gridDim.x; }

  /**
   * A ticket of which the low bits are known. The worker that takes each billionth one moves the
   * base there, behind the addition: so the base may lag, or be ahead of a worker that has added
   * before.
   */
  __device__ uint64_t ticket(uint32_t low) const {
    return widened(low, machine::peek(ticketBase_));
  }

  __device__ static unsigned long long readNumber(const Launch& launch) {
    return KNOWN_NUMBER + machine::loadInt(reinterpret_cast<const uint8_t*>(launch.memory) +
                                           offsetof(ControlBlock, device));
  }

  /** Asks for all blocks, or waits for the one that asks. */
  __device__ unsigned long long numberOfAll(const Launch& launch) const {
    unsigned long long* number = &states_[0].number;
    unsigned long long known = atomicCAS(number, 0ull, ASKED_NUMBER);
    if (known == 0) {
      known = readNumber(launch);
      atomicExch(number, known);
    }
    while (known == ASKED_NUMBER) {
      machine::pause(ASKED_NANOS);
      known = machine::loadDevice(number);
    }
    return known;
  }

  __device__ static machine::Pair* remembered(BlockState* states) {
    return reinterpret_cast<machine::Pair*>(&states[blockIdx.x].identity);
  }

  /** Reads the head of the ring. A launch that is to run remembers it. Called by all threads. */
  __device__ void identify(const Launch& launch) {
    // All have seen that it is unknown.
    __syncthreads();
    if (threadIdx.x < HEAD_PAIRS) {
      head_[threadIdx.x] = machine::loadPair(reinterpret_cast<const uint8_t*>(launch.memory) +
                                             threadIdx.x * sizeof(machine::Pair));
    }
    __syncthreads();
    bool runs = isIdentified() && static_cast<Command>(head_[IDENTITY_PAIRS].first) == Command::RUN;
    if (!runs && threadIdx.x == 0) {
      ending_ = Ending::LEAVES;
    } else if (runs && threadIdx.x < IDENTITY_PAIRS) {
      remembered(states_)[threadIdx.x] = head_[threadIdx.x];
    }
  }

  /**
   * Whether it is for this block to look for a command. The command is in one line, and of a line
   * the bus reads one at a time: with 128 blocks that each looked every 100 us, a request took
   * 240 us instead of 10 (H200). If the clock is set back, the difference is a large one, and the
   * turn is free.
   */
  __device__ bool takesTurn(uint64_t now) {
    if (gridDim.x == 1) {
      return true;
    }
    unsigned long long* obeyedAt = &states_[0].obeyedAt;
    unsigned long long last = machine::loadDevice(obeyedAt);
    return now - last >= OBEY_NANOS && atomicCAS(obeyedAt, last, now) == last;
  }

  /**
   * Stale is harmless, so nothing is ordered: what the host did before it gave the command is of no
   * concern to a worker that leaves, and a launch orders what it did before RUN.
   */
  __device__ void obeyHost(const Launch& launch) {
    auto command = machine::loadInt(reinterpret_cast<const uint8_t*>(launch.memory) +
                                    offsetof(ControlBlock, host));
    if (command != static_cast<uint32_t>(Command::RUN)) {
      leaveAll();
    }
  }

  __device__ void leaveAll() {
    machine::poke(ending_, Ending::LEAVES);
    tellOthers(Ending::LEAVES);
  }

  __device__ void tellOthers(Ending ending) {
    if (gridDim.x > 1) {
      atomicMax(&states_[0].ending, static_cast<uint32_t>(ending));
    }
  }

  /** Does as the others do. */
  __device__ void obeyOthers() {
    if (gridDim.x == 1) {
      return;
    }
    auto others = static_cast<Ending>(atomicAdd(&states_[0].ending, 0));
    if (others == Ending::LEAVES) {
      machine::poke(ending_, Ending::LEAVES);
    } else if (others == Ending::DUE) {
      becomeDue();
    }
  }

  /**
   * The launch is over, but for what was begun. What is begun now may be as slow: with a limit in
   * time, twice that is the end of it; without, there is no time to lose.
   */
  __device__ void comeToLimit() {
    if (timeLimitNanos_ == 0 || machine::nanoTime() - timeBegins_ >= 2 * timeLimitNanos_) {
      leaveAll();
    } else {
      tellOthers(Ending::DUE);
      becomeDue();
    }
  }

  __device__ void becomeDue() {
    if (change(Ending::NONE, Ending::DUE)) {
      leaveIfReady();
    }
  }

  /** Once nothing is handled in any block that was begun before the end was due, all leave. */
  __device__ void leaveIfReady() {
    if (machine::peek(handling_) % BEGUN_LATER == 0 && change(Ending::DUE, Ending::READY) &&
        atomicAdd(&states_[0].readyBlocks, 1) == gridDim.x - 1) {
      leaveAll();
    }
  }

  __device__ bool change(Ending from, Ending to) {
    return atomicCAS(reinterpret_cast<uint32_t*>(&ending_), static_cast<uint32_t>(from),
                     static_cast<uint32_t>(to)) == static_cast<uint32_t>(from);
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
