// What the tests need of a device: memory, kernels by name, launches. A GPU is one; threads that
// take its place on a machine without one are another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ringkernel/abi.cuh>

struct Device {
  struct Mapped {
    uint8_t* host;
    uint64_t device;
  };

  virtual ~Device() = default;

  /** Zeroed memory that both sides reach. */
  virtual Mapped mapped(size_t bytes) = 0;

  /** Zeroed memory of the device; 0 for none. */
  virtual uint64_t memory(size_t bytes) = 0;

  virtual void read(void* to, uint64_t from, size_t bytes) = 0;

  virtual ringkernel::KernelInfo info(const char* kernel) = 0;

  /** Launches a kernel; one that is compiled with its messages does not look at their shape. */
  virtual void launch(const char* kernel, const ringkernel::ErasedLaunch& launch, uint32_t blocks,
                      uint32_t threads, uint32_t sharedBytes) = 0;

  /**
   * How many blocks of echo, of one worker each, look at the ring more often than those do that
   * leave it to others; 0 where that cannot be told.
   */
  virtual uint32_t pollers() { return 0; }

  /** Whether the last launch has ended. */
  virtual bool hasEnded() = 0;

  /** How many messages a test may send: fewer where the device is slow. */
  virtual uint32_t effort() const = 0;

  /** How many of so many rounds a test makes: fewer where a sanitizer looks at each access. */
  virtual uint32_t rounds(uint32_t all) const { return all; }
};
