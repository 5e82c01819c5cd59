// Where a worker that waits for a request sees that another one calls.
#pragma once

#include <cstddef>
#include <ringkernel/abi.cuh>
#include <ringkernel/machine.cuh>
#include <type_traits>

namespace ringkernel {

/** What begins the state of a handler that is linked with a worker which it can call. */
struct CallingState {
  unsigned long long calls;
};

/** The length of the request that a worker without one handles. */
constexpr uint32_t ASSISTS = UINT32_MAX;

/** @tparam State the state of a kernel that RING_KERNEL_ASSISTED defines; void of any other */
template <typename State>
class Calls {
 public:
  static constexpr bool EXIST = true;

  __device__ explicit Calls(const Launch& launch)
      : word_(&reinterpret_cast<const State*>(launch.user)->calls) {}

  /** Whether one calls. It costs a read of the device's memory. */
  __device__ bool areOpen() const { return machine::loadDevice(word_) != 0; }

 private:
  const unsigned long long* word_;
};

template <>
class Calls<void> {
 public:
  static constexpr bool EXIST = false;

  __device__ explicit Calls(const Launch&) {}

  __device__ static constexpr bool areOpen() { return false; }
};

/** Whether a worker that is linked finds the calls of a state; of void, there are none. */
template <typename State>
constexpr bool beginsWithCalls() {
  if constexpr (std::is_void_v<State>) {
    return true;
  } else {
    return offsetof(State, calls) == offsetof(CallingState, calls);
  }
}

}  // namespace ringkernel
