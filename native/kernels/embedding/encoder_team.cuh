// The workers that encode one text: the one that has the request, and those that had none and came
// when it called. Each has some of the shards. They wait for each other four times in each layer.
//
// Nobody waits for a worker that has not entered, and one that has entered runs, and waits for
// nobody but the others of its team. So each wait ends.
#pragma once

#include <ringkernel/ring_kernel.cuh>

namespace machine = ringkernel::machine;

/** What the workers of a team know of each other, in device memory. */
struct TeamBoard {
  /** From the lowest bits up: how many have entered, whether others may, an epoch for each text. */
  alignas(128) unsigned int entered;
  /** How many workers the team has that was closed last, and its epoch. */
  alignas(128) unsigned int closed;
  /** How often workers have come to a meeting since the team was opened. */
  alignas(128) unsigned int arrived;
  /** What they encode: written before others may enter. */
  alignas(128) unsigned int tokens;
};

/** A team as its workers' first threads see it. */
class EncoderTeam {
 public:
  __device__ explicit EncoderTeam(TeamBoard& board) : board_(board) {}

  /** Lets others enter; called by the worker that has the request. */
  __device__ void open(uint32_t tokens) {
    uint32_t epoch = (board_.entered / EPOCH + 1) * EPOCH;
    board_.tokens = tokens;
    board_.arrived = 0;
    __threadfence();
    atomicExch(&board_.entered, epoch | OPEN);
  }

  /** Waits until so many others have entered, as long as those take that have nothing to do. */
  __device__ void awaitEntries(uint32_t count) const {
    uint64_t begun = machine::cycles();
    while (machine::loadDeviceAcquire(&board_.entered) % OPEN < count &&
           machine::cycles() - begun < PATIENCE_CYCLES) {
      machine::pause(PAUSE_NANOS);
    }
  }

  /** Takes those that have entered, up to a number of workers in all; tells how many it has. */
  __device__ uint32_t close(uint32_t most) {
    uint32_t entered = atomicAnd(&board_.entered, ~OPEN);
    uint32_t count = min(1 + entered % OPEN, most);
    __threadfence();
    atomicExch(&board_.closed, entered / EPOCH * EPOCH | count);
    return count;
  }

  /**
   * Enters a team, and waits until it is closed.
   * @param member which of its workers this one is
   * @return how many workers it has; 0 if this one does not belong to it
   */
  __device__ uint32_t enter(uint32_t& member) {
    // Those that come late are counted too, until the next text. There are fewer of them than OPEN.
    uint32_t entered = atomicAdd(&board_.entered, 1u);
    if ((entered & OPEN) == 0) {
      return 0;
    }
    member = 1 + entered % OPEN;
    uint32_t epoch = entered / EPOCH;
    uint32_t closed;
    // Who does not belong to it may see a later one: its worker waits for members alone.
    do {
      machine::pause(PAUSE_NANOS);
      closed = machine::loadDeviceAcquire(&board_.closed);
    } while (static_cast<int32_t>((closed / EPOCH - epoch) * EPOCH) < 0);
    uint32_t count = closed % OPEN;
    return closed / EPOCH == epoch && member < count ? count : 0;
  }

  __device__ uint32_t tokens() const { return board_.tokens; }

  /** Comes to the next meeting, when all threads of the worker have come. */
  __device__ void arrive() { machine::addRelease(&board_.arrived, 1); }

  /** Waits until there have been so many arrivals. */
  __device__ void await(uint32_t arrivals) const {
    while (machine::loadDeviceAcquire(&board_.arrived) < arrivals) {
      machine::pause(PAUSE_NANOS);
    }
  }

 private:
  static constexpr uint32_t EPOCH = 1u << 12;
  static constexpr uint32_t OPEN = 1u << 11;
  static constexpr uint32_t PAUSE_NANOS = 20;
  /** Some 6 us: workers look whether they are called as often as at the bus. */
  static constexpr uint32_t PATIENCE_CYCLES = 12000;

  TeamBoard& board_;
};
