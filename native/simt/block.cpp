#include "block.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "clock.hpp"

namespace simt {
namespace {

thread_local Block* current;

/** A block that waits for what will never come looks so often whether its grid is ended. */
constexpr uint64_t LOST_NANOS = 1'000'000;

/** The operating system's own is as long as a pause. */
constexpr unsigned long TIMER_SLACK_NANOS = 1000;

/** A GPU takes no time from the host's threads, nor should this, more than it must. */
constexpr int NICE = 5;

/** Whoever is never idle does not keep the others asleep. */
constexpr uint32_t TURNS_BEFORE_WAKE = 256;

/** The stacks of a thread's blocks: the operating system gives pages as they are touched. */
class Stacks {
 public:
  ~Stacks() { release(); }

  uint8_t* atLeast(uint32_t count) {
    if (count > count_) {
      release();
      void* at = mmap(nullptr, count * Fiber::STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
      if (at == MAP_FAILED) {
        throw std::bad_alloc();
      }
      base_ = static_cast<uint8_t*>(at);
      count_ = count;
    }
    return base_;
  }

 private:
  uint8_t* base_ = nullptr;
  uint32_t count_ = 0;

  void release() {
    if (base_ != nullptr) {
      munmap(base_, count_ * Fiber::STACK_BYTES);
    }
  }
};

thread_local Stacks stacks;

void sleepUntil(uint64_t nanos) {
  timespec at = {static_cast<time_t>(nanos / 1'000'000'000),
                 static_cast<long>(nanos % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
}

}  // namespace

Block::Block(Grid& grid, uint32_t index)
    : grid_(grid),
      index_(index),
      threads_(grid.shape().threads),
      warps_((grid.shape().threads + WARP - 1) / WARP),
      shared_(new uint8_t[grid.shape().sharedBytes + 16]),
      left_(grid.shape().threads) {
  // What a kernel finds in shared memory is anything.
  memset(shared_.get(), 0x5a, grid.shape().sharedBytes + 16);
  uint8_t* stack = stacks.atLeast(left_);
  for (uint32_t i = 0; i < left_; i++) {
    threads_[i].fiber.prepare(stack + i * Fiber::STACK_BYTES, enter);
    append(ready_, i);
  }
}

Block::~Block() = default;

Block* Block::current() {
  return simt::current;
}

void Block::enter() {
  Fiber::begun();
  simt::current->grid_.body_();
  simt::current->exitThread();
}

void Block::run() {
  prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NANOS);
  setpriority(PRIO_PROCESS, 0, NICE);
  simt::current = this;
  for (uint32_t turn = 0; !isOver(); turn++) {
    if (ready_.first == NONE || turn % TURNS_BEFORE_WAKE == 0) {
      wake();
    }
    if (ready_.first != NONE) {
      running_ = removeFirst(ready_);
      scheduler_.switchTo(threads_[running_].fiber);
    }
  }
  simt::current = nullptr;
}

/** Makes those ready whose pauses are over; if there is nothing else to do, waits for the first. */
void Block::wake() {
  uint64_t now = nanoTime();
  uint64_t first = now + LOST_NANOS;
  Queue later;
  while (paused_.first != NONE) {
    uint32_t thread = removeFirst(paused_);
    if (threads_[thread].wakesAt <= now) {
      append(ready_, thread);
    } else {
      first = threads_[thread].wakesAt < first ? threads_[thread].wakesAt : first;
      append(later, thread);
    }
  }
  paused_ = later;
  if (ready_.first == NONE) {
    sleepUntil(first);
  }
}

void Block::append(Queue& queue, uint32_t thread) {
  threads_[thread].next = NONE;
  if (queue.first == NONE) {
    queue.first = thread;
  } else {
    threads_[queue.last].next = thread;
  }
  queue.last = thread;
}

uint32_t Block::removeFirst(Queue& queue) {
  uint32_t thread = queue.first;
  queue.first = threads_[thread].next;
  return thread;
}

void Block::suspend() {
  threads_[running_].fiber.switchTo(scheduler_);
}

void Block::meet(Meeting& meeting, uint32_t all) {
  if (++meeting.arrived < all) {
    append(meeting.waiting, running_);
    suspend();
    return;
  }
  meeting.arrived = 0;
  meeting.generation++;
  while (meeting.waiting.first != NONE) {
    append(ready_, removeFirst(meeting.waiting));
  }
}

void Block::barrier(uint32_t id, uint32_t threads) {
  meet(barriers_[id], threads);
}

bool Block::barrierAny(uint32_t id, uint32_t threads, bool predicate) {
  Meeting& meeting = barriers_[id];
  bool& any = meeting.any[meeting.generation & 1];
  any = (meeting.arrived != 0 && any) || predicate;
  meet(meeting, threads);
  return any;
}

const uint64_t* Block::exchange(uint64_t word) {
  Warp& warp = warps_[running_ / WARP];
  uint64_t* words = warp.words[warp.parity()];
  words[running_ % WARP] = word;
  meet(warp.meeting, WARP);
  return words;
}

const Operands* Block::exchange(const Operands& own) {
  Warp& warp = warps_[running_ / WARP];
  Operands* lanes = warp.operands[warp.parity()];
  lanes[running_ % WARP] = own;
  meet(warp.meeting, WARP);
  return lanes;
}

void Block::pause(uint32_t nanos) {
  threads_[running_].wakesAt = nanoTime() + nanos * PAUSE_SCALE;
  append(paused_, running_);
  suspend();
}

void Block::yield() {
  append(ready_, running_);
  suspend();
}

void Block::exitThread() {
  left_--;
  threads_[running_].fiber.leaveTo(scheduler_);
}

void Block::fault(Ending ending) {
  grid_.end(ending);
  threads_[running_].fiber.leaveTo(scheduler_);
}

uint8_t* Block::shared() {
  auto at = reinterpret_cast<uintptr_t>(shared_.get());
  return reinterpret_cast<uint8_t*>((at + 15) / 16 * 16);
}

}  // namespace simt
