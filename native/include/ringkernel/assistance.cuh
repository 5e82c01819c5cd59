// Where a worker that waits for a request sees that another one calls.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

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

}  // namespace ringkernel
