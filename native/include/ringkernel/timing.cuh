// Measures what a request takes on the device, from the look that finds it to the store of its
// response. Compiled in only where a kernel asks for it.
#pragma once

#include <ringkernel/machine.cuh>

namespace ringkernel {

/** Begins the user state of a timed kernel. */
struct Timing {
  static constexpr uint32_t SAMPLES = 1 << 16;

  unsigned long long count;
  /** Two readings of both clocks by the first worker, from which the host gets the frequency. */
  uint64_t firstCycles;
  uint64_t firstNanos;
  uint64_t lastCycles;
  uint64_t lastNanos;
  uint64_t reserved[3];
  /** Cycles of the latest requests. */
  uint32_t cycles[SAMPLES];
};

template <bool TIMED>
class Stopwatch {
 public:
  __device__ explicit Stopwatch(uint64_t) {}
  __device__ void start() {}
  __device__ void stop(uint32_t) {}
};

template <>
class Stopwatch<true> {
 public:
  __device__ explicit Stopwatch(uint64_t timing) : timing_(*reinterpret_cast<Timing*>(timing)) {}

  __device__ void start() { start_ = machine::cycles(); }

  __device__ void stop(uint32_t thread) {
    if (thread != 0) {
      return;
    }
    uint64_t now = machine::cycles();
    uint64_t sample = atomicAdd(&timing_.count, 1ull);
    timing_.cycles[sample % Timing::SAMPLES] = static_cast<uint32_t>(now - start_);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
      if (timing_.firstCycles == 0) {
        timing_.firstCycles = now;
        timing_.firstNanos = machine::nanoTime();
      }
      timing_.lastCycles = now;
      timing_.lastNanos = machine::nanoTime();
    }
  }

 private:
  Timing& timing_;
  uint64_t start_ = 0;
};

}  // namespace ringkernel
