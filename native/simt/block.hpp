// The threads of a block: fibers that take turns on one operating system thread, so that within a
// block nothing happens at the same time. One that waits for others is not run until they are
// there.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "fiber.hpp"
#include "grid.hpp"
#include "simt.hpp"

namespace simt {

class Block {
 public:
  Block(Grid& grid, uint32_t index);
  ~Block();

  /** The one that the calling thread runs; null if it runs none. */
  static Block* current();

  /** Runs it to its end, or to that of its grid. */
  void run();

  // For the fiber that runs.

  uint32_t thread() const { return running_; }
  uint32_t index() const { return index_; }
  Ordering& ordering() { return threads_[running_].ordering; }
  const Shape& shape() const { return grid_.shape(); }
  uint8_t* shared();

  /** Waits until as many as stated have come to a barrier. */
  void barrier(uint32_t id, uint32_t threads);

  /** The same; tells whether any of them came with a predicate that holds. */
  bool barrierAny(uint32_t id, uint32_t threads, bool predicate);

  /** Hands a word to the other lanes of the warp; waits for all of them. */
  const uint64_t* exchange(uint64_t word);

  /** The same with operands. */
  const Operands* exchange(const Operands& own);

  /** Lets others run for a time, in nanoseconds of the emulated device. */
  void pause(uint32_t nanos);

  /** Lets others run. */
  void yield();

  [[noreturn]] void exitThread();

  /** Ends the grid. */
  [[noreturn]] void fault(Ending ending);

  /** The end of the stack that runs. */
  uint8_t* stackTop() { return threads_[running_].fiber.top(); }

 private:
  static constexpr uint32_t NONE = UINT32_MAX;
  static constexpr uint32_t WARP = 32;

  /**
   * How much longer the emulated device's nanoseconds are: a look at the ring takes it 500 times
   * as long as a GPU. A pause is to be worth more than that, since workers that are idle take the
   * processor from those that are not.
   */
  static constexpr uint64_t PAUSE_SCALE = 2500;

  struct Thread {
    Fiber fiber;
    Ordering ordering;
    uint32_t next = NONE;
    uint64_t wakesAt = 0;
  };

  /** Threads one after another. */
  struct Queue {
    uint32_t first = NONE;
    uint32_t last = NONE;
  };

  /** Where threads meet. The parity of the generation tells two successive meetings apart. */
  struct Meeting {
    Queue waiting;
    uint32_t arrived = 0;
    uint32_t generation = 0;
    bool any[2] = {};
  };

  struct Warp {
    Meeting meeting;
    uint64_t words[2][WARP] = {};
    Operands operands[2][WARP];

    uint32_t parity() const { return meeting.generation & 1; }
  };

  Grid& grid_;
  uint32_t index_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::map<uint32_t, Meeting> barriers_;
  std::unique_ptr<uint8_t[]> shared_;
  Fiber scheduler_;
  Queue ready_;
  Queue paused_;
  uint32_t running_ = 0;
  uint32_t left_;

  static void enter();

  bool isOver() const { return left_ == 0 || grid_.ending() != Ending::RETURNED; }
  void append(Queue& queue, uint32_t thread);
  uint32_t removeFirst(Queue& queue);
  void meet(Meeting& meeting, uint32_t all);
  void suspend();
  void wake();
};

}  // namespace simt
