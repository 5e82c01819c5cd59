// The workers that encode one text: the one that has the request, and those that had none and came
// when it called. Each has some of the shards, and some of the rows.
//
// They meet nowhere. What they exchange travels in chunks, which tell by their tags that they have
// come: see encoder_chunks.cuh. A worker waits for none but those that have entered its team, and
// these run. So each wait ends.
#pragma once

#include <ringkernel/ring_kernel.cuh>

namespace machine = ringkernel::machine;

/** What the workers of a team know of each other, in device memory. */
struct TeamBoard {
  /** From the lowest bits up: how many have entered, whether others may, an epoch for each text. */
  alignas(128) unsigned int entered;
  /** How many workers the team has that was closed last, and its epoch. */
  alignas(128) unsigned int closed;
  /** How long the text is, and the tag of its first rows: written before others may enter. */
  alignas(128) unsigned int tokens;
  unsigned int tag;
};

/** A team as its workers' first threads see it. */
class EncoderTeam {
 public:
  __device__ explicit EncoderTeam(TeamBoard& board) : board_(board) {}

  /** Lets others enter; called by the worker that has the request. */
  __device__ void open(uint32_t tokens, uint32_t tag) {
    uint32_t epoch = (board_.entered / EPOCH + 1) * EPOCH;
    board_.tokens = tokens;
    board_.tag = tag;
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
    // Behind the fence of the opening: who sees it sees all that was written before that.
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

  /** Of the first rows of the text. */
  __device__ uint32_t tag() const { return board_.tag; }

 private:
  static constexpr uint32_t EPOCH = 1u << 12;
  static constexpr uint32_t OPEN = 1u << 11;
  static constexpr uint32_t PAUSE_NANOS = 20;
  /** Some 6 us: workers look whether they are called as often as at the bus. */
  static constexpr uint32_t PATIENCE_CYCLES = 12000;

  TeamBoard& board_;
};
