// A lock in device memory that many readers or one writer hold. A writer that waits keeps new
// readers out. Taken by one thread of a worker, for all; workers of a launch all run, so whoever
// waits waits for a worker that goes on.
#pragma once

#include <ringkernel/machine.cuh>

class SharedLock {
 public:
  __device__ void lockShared() {
    // Counted first and asked then: of many readers that come at once, none waits for another.
    while ((atomicAdd(&word_, 1) & (WRITER | WAITING)) != 0) {
      atomicSub(&word_, 1);
      while ((ringkernel::machine::peek(word_) & (WRITER | WAITING)) != 0) {
        ringkernel::machine::pause(PAUSE_NANOS);
      }
    }
    // What the last writer released before is seen after.
    __threadfence();
  }

  __device__ void unlockShared() {
    __threadfence();
    atomicSub(&word_, 1);
  }

  __device__ void lock() {
    atomicOr(&word_, WAITING);
    while (!tryChange(WAITING, WRITER)) {
      ringkernel::machine::pause(PAUSE_NANOS);
      atomicOr(&word_, WAITING);
    }
    __threadfence();
  }

  __device__ void unlock() {
    __threadfence();
    atomicAnd(&word_, ~WRITER);
  }

 private:
  static constexpr uint32_t WRITER = 1u << 31;
  static constexpr uint32_t WAITING = 1u << 30;
  static constexpr uint32_t PAUSE_NANOS = 100;

  /** Readers, and the two marks. */
  uint32_t word_;

  __device__ bool tryChange(uint32_t from, uint32_t to) {
    return atomicCAS(&word_, from, to) == from;
  }
};
