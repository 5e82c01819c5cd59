#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "device.hpp"

namespace emulator {
namespace {

constexpr size_t PAGE = 4096;

/** So much of new memory is anything; that all of it is would take a minute in some tests. */
constexpr size_t DIRTY_BYTES = 1 << 20;

size_t pages(size_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

}  // namespace

const Allocation& Memory::allocate(size_t bytes, MemoryKind kind, unsigned flags, uint64_t limit) {
  require(bytes > 0, CUDA_ERROR_INVALID_VALUE);
  require(bytes <= limit && used_ <= limit - bytes, CUDA_ERROR_OUT_OF_MEMORY);
  size_t whole = pages(bytes);
  void* at = mmap(nullptr, whole + PAGE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(at != MAP_FAILED, CUDA_ERROR_OUT_OF_MEMORY);
  mprotect(static_cast<uint8_t*>(at) + whole, PAGE, PROT_NONE);
  memset(at, 0xa5, std::min(bytes, DIRTY_BYTES));
  auto base = reinterpret_cast<uintptr_t>(at);
  used_ += whole;
  return allocations_[base] = {base, bytes, kind, flags};
}

void Memory::registerHost(void* at, size_t bytes, unsigned flags) {
  require(at != nullptr && bytes > 0, CUDA_ERROR_INVALID_VALUE);
  auto base = reinterpret_cast<uintptr_t>(at);
  require(!overlaps(base, bytes), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  allocations_[base] = {base, bytes, MemoryKind::REGISTERED, flags};
}

void Memory::unregisterHost(const void* at) {
  auto found = allocations_.find(reinterpret_cast<uintptr_t>(at));
  require(found != allocations_.end() && found->second.kind == MemoryKind::REGISTERED,
          CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  allocations_.erase(found);
}

void Memory::free(uintptr_t base, MemoryKind kind) {
  auto found = allocations_.find(base);
  require(found != allocations_.end(), CUDA_ERROR_INVALID_VALUE);
  require(found->second.kind == kind, CUDA_ERROR_INVALID_VALUE);
  size_t whole = pages(found->second.bytes);
  munmap(reinterpret_cast<void*>(base), whole + PAGE);
  used_ -= whole;
  allocations_.erase(found);
}

const Allocation* Memory::find(uintptr_t at, size_t bytes) const {
  auto after = allocations_.upper_bound(at);
  if (after == allocations_.begin()) {
    return nullptr;
  }
  const Allocation& candidate = std::prev(after)->second;
  size_t offset = at - candidate.base;
  return offset <= candidate.bytes && bytes <= candidate.bytes - offset ? &candidate : nullptr;
}

const Allocation& Memory::reachable(CUdeviceptr at, size_t bytes) const {
  const Allocation* found = find(static_cast<uintptr_t>(at), bytes);
  require(found != nullptr, CUDA_ERROR_INVALID_VALUE);
  return *found;
}

bool Memory::overlaps(uintptr_t at, size_t bytes) const {
  auto next = allocations_.lower_bound(at);
  bool intoNext = next != allocations_.end() && next->first < at + bytes;
  bool fromPrevious = next != allocations_.begin() &&
                      std::prev(next)->second.base + std::prev(next)->second.bytes > at;
  return intoNext || fromPrevious;
}

}  // namespace emulator
