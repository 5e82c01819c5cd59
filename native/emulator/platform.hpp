// What the emulated driver and its device are like: chosen by RINGKERNEL_EMULATED_PLATFORM.
#pragma once

#include <cstdint>
#include <string>

#include "cuda_api.hpp"

namespace emulator {

struct Platform {
  std::string name = "native-linux";
  std::string device = "Emulated GPU";

  /** How many of them there are. */
  int devices = 1;

  /** Major times ten plus minor. */
  int capability = 90;
  int driverVersion = 13000;
  int multiprocessors = 32;
  uint64_t memoryBytes = 8ull << 30;

  /** What cuInit returns. */
  CUresult initialization = CUDA_SUCCESS;

  /** Whether host memory can be registered, or allocated pinned. */
  bool pins = true;

  /** How late every second copy from pageable memory is made, after its call has returned. */
  uint64_t stagedNanos = 0;

  /** Whether launches can be prepared as graphs. */
  bool graphs = true;

  /** How long the launch of a kernel takes that is not part of a graph. */
  uint64_t launchNanos = 0;

  /** Whether every call that concerns the device waits for all kernels to end. */
  bool blocksWhileRunning = false;

  /** Whether the driver says that it limits how long a kernel may run. */
  bool saysTimeLimit = false;

  /** How long a kernel may run; 0 for as long as it wants. */
  uint64_t kernelLimitNanos = 0;

  /** What each launch returns. */
  CUresult launch = CUDA_SUCCESS;

  /** How long after the first launch the device is lost; 0 for never. */
  uint64_t lostAfterNanos = 0;
  CUresult loss = CUDA_SUCCESS;

  /** Whether calls that concern a lost device never return. */
  bool hangsWhenLost = false;

  /** How long each call takes. */
  uint64_t callNanos = 0;

  /** That of this process; ends the process if the variable names none. */
  static const Platform& current();
};

}  // namespace emulator
