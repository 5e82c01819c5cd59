// The memory that the driver knows. Addresses are the same for host and device, as they are where
// there is unified addressing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "cuda_api.hpp"

namespace emulator {

enum class MemoryKind { DEVICE, PINNED, REGISTERED };

struct Allocation {
  uintptr_t base;
  size_t bytes;
  MemoryKind kind;
  unsigned flags;
};

class Memory {
 public:
  /** Memory of the device. What lies behind it is not accessible to anyone. */
  const Allocation& allocate(size_t bytes, MemoryKind kind, unsigned flags, uint64_t limit);

  /** Notes memory of the host. */
  void registerHost(void* at, size_t bytes, unsigned flags);

  void unregisterHost(const void* at);

  /** Gives back what was allocated, of a kind. */
  void free(uintptr_t base, MemoryKind kind);

  /** The allocation that some bytes are in; null if they are not within one. */
  const Allocation* find(uintptr_t at, size_t bytes) const;

  /** The same, of memory that the device reaches by this address; fails if it does not. */
  const Allocation& reachable(CUdeviceptr at, size_t bytes) const;

  /** Whether copies of it need not be staged. */
  bool isPinned(const void* at, size_t bytes) const {
    return find(reinterpret_cast<uintptr_t>(at), bytes) != nullptr;
  }

  uint64_t used() const { return used_; }

 private:
  std::map<uintptr_t, Allocation> allocations_;
  uint64_t used_ = 0;

  bool overlaps(uintptr_t at, size_t bytes) const;
};

}  // namespace emulator
