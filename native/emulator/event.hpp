// Events: marks in the order of a stream.
#pragma once

#include <cstdint>
#include <memory>

#include "device.hpp"

namespace emulator {

/** One recording of an event: what was before it in its stream is done, at a time. */
struct Mark {
  bool reached = false;
  uint64_t nanos = 0;
};

struct Event {
  unsigned flags;
  /** The latest recording; null if there is none. */
  std::shared_ptr<Mark> mark;

  bool isReached() const { return mark == nullptr || mark->reached; }
};

}  // namespace emulator
