// The host's monotonic clock, in nanoseconds.
#pragma once

#include <time.h>

#include <cstdint>

namespace simt {

inline uint64_t nanoTime() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace simt
