// Memory: of the device, of the host where both reach it, and copies between them.
#include <emmintrin.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "call.hpp"
#include "stream.hpp"

using namespace emulator;

namespace {

CUdeviceptr allocated(size_t bytes, MemoryKind kind, unsigned flags) {
  return Device::get().memory.allocate(bytes, kind, flags, Platform::current().memoryBytes).base;
}

void* address(CUdeviceptr pointer) {
  return reinterpret_cast<void*>(pointer);
}

/** The host's memory, of which there is enough; where it can be pinned. */
void* pinned(size_t bytes, unsigned flags) {
  require(Platform::current().pins, CUDA_ERROR_INVALID_VALUE);
  return address(Device::get().memory.allocate(bytes, MemoryKind::PINNED, flags, UINT64_MAX).base);
}

/**
 * Copies as the device does it: aligned memory by sixteen bytes at a time, each at once, so that a
 * kernel sees a chunk of a ring whole.
 */
void copy(void* to, const void* from, size_t bytes) {
  size_t at = 0;
  if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % 16 == 0) {
    for (; at + 16 <= bytes; at += 16) {
      auto* source = reinterpret_cast<const __m128i*>(static_cast<const char*>(from) + at);
      _mm_store_si128(reinterpret_cast<__m128i*>(static_cast<char*>(to) + at),
                      _mm_load_si128(source));
    }
  }
  memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, bytes - at);
}

void awaitPosition(Lock& lock, const Position& position) {
  await(lock, [&] { return position.isReached(); });
}

Position submitCopy(const std::shared_ptr<Stream>& stream, void* to, const void* from,
                    size_t bytes) {
  return stream->submit({[=] { copy(to, from, bytes); }, {}});
}

/** What is pageable is staged, so that the caller may change it at once. */
void upload(const std::shared_ptr<Stream>& stream, CUdeviceptr to, const void* from, size_t bytes) {
  Device::get().memory.reachable(to, bytes);
  require(from != nullptr, CUDA_ERROR_INVALID_VALUE);
  if (Device::get().memory.isPinned(from, bytes)) {
    submitCopy(stream, address(to), from, bytes);
    return;
  }
  require(!stream->isCapturing(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  const auto* begin = static_cast<const uint8_t*>(from);
  auto staged = std::make_shared<std::vector<uint8_t>>(begin, begin + bytes);
  static uint64_t count = 0;
  uint64_t late = ++count % 2 * Platform::current().stagedNanos;
  stream->submit({[=] {
                    std::this_thread::sleep_for(std::chrono::nanoseconds(late));
                    copy(address(to), staged->data(), staged->size());
                  },
                  {}});
}

/** What is pageable is there when the call returns. */
void download(Lock& lock, const std::shared_ptr<Stream>& stream, void* to, CUdeviceptr from,
              size_t bytes) {
  Device::get().memory.reachable(from, bytes);
  require(to != nullptr, CUDA_ERROR_INVALID_VALUE);
  bool isPinned = Device::get().memory.isPinned(to, bytes);
  require(isPinned || !stream->isCapturing(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  Position end = submitCopy(stream, to, address(from), bytes);
  if (!isPinned) {
    awaitPosition(lock, end);
  }
}

template <typename T>
Position fill(const std::shared_ptr<Stream>& stream, CUdeviceptr to, T value, size_t count) {
  Device::get().memory.reachable(to, count * sizeof(T));
  return stream->submit({[=] {
                           auto* words = static_cast<T*>(address(to));
                           for (size_t i = 0; i < count; i++) {
                             words[i] = value;
                           }
                         },
                         {}});
}

}  // namespace

DRIVER_API cuMemAlloc_v2(CUdeviceptr* at, size_t bytes) {
  return contextCall([&](Lock&) { *at = allocated(bytes, MemoryKind::DEVICE, 0); });
}

DRIVER_API cuMemFree_v2(CUdeviceptr at) {
  return contextCall([&](Lock& lock) {
    if (at != 0) {
      awaitAll(lock);
      Device::get().memory.free(at, MemoryKind::DEVICE);
    }
  });
}

DRIVER_API cuMemAllocAsync(CUdeviceptr* at, size_t bytes, CUstream stream) {
  return contextCall([&](Lock&) {
    Stream::of(stream);
    *at = allocated(bytes, MemoryKind::DEVICE, 0);
  });
}

DRIVER_API cuMemFreeAsync(CUdeviceptr at, CUstream stream) {
  return contextCall([&](Lock&) {
    Device::get().memory.reachable(at, 1);
    Stream::of(stream)->submit({[=] {
                                  Lock lock(Device::get().mutex);
                                  Device::get().memory.free(at, MemoryKind::DEVICE);
                                },
                                {}});
  });
}

DRIVER_API cuMemGetInfo_v2(size_t* free, size_t* total) {
  return contextCall([&](Lock&) {
    uint64_t bytes = Platform::current().memoryBytes;
    uint64_t used = Device::get().memory.used();
    *total = bytes;
    *free = used < bytes ? bytes - used : 0;
  });
}

DRIVER_API cuMemHostAlloc(void** at, size_t bytes, unsigned flags) {
  return contextCall([&](Lock&) { *at = pinned(bytes, flags); });
}

DRIVER_API cuMemAllocHost_v2(void** at, size_t bytes) {
  return contextCall([&](Lock&) { *at = pinned(bytes, 0); });
}

DRIVER_API cuMemFreeHost(void* at) {
  return contextCall([&](Lock& lock) {
    awaitAll(lock);
    Device::get().memory.free(reinterpret_cast<uintptr_t>(at), MemoryKind::PINNED);
  });
}

DRIVER_API cuMemHostRegister_v2(void* at, size_t bytes, unsigned flags) {
  return contextCall([&](Lock& lock) {
    require(Platform::current().pins, CUDA_ERROR_INVALID_VALUE);
    awaitAll(lock);
    Device::get().memory.registerHost(at, bytes, flags);
  });
}

DRIVER_API cuMemHostUnregister(void* at) {
  return contextCall([&](Lock& lock) {
    awaitAll(lock);
    Device::get().memory.unregisterHost(at);
  });
}

DRIVER_API cuMemHostGetDevicePointer_v2(CUdeviceptr* pointer, void* at, unsigned flags) {
  return contextCall([&](Lock&) {
    require(flags == 0, CUDA_ERROR_INVALID_VALUE);
    *pointer = reinterpret_cast<CUdeviceptr>(at);
    const Allocation& found = Device::get().memory.reachable(*pointer, 1);
    require(found.kind == MemoryKind::PINNED || found.kind == MemoryKind::REGISTERED,
            CUDA_ERROR_INVALID_VALUE);
  });
}

DRIVER_API cuMemHostGetFlags(unsigned* flags, void* at) {
  return contextCall([&](Lock&) {
    *flags = Device::get().memory.reachable(reinterpret_cast<CUdeviceptr>(at), 1).flags;
  });
}

DRIVER_API cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return contextCall([&](Lock& lock) {
    auto stream = Stream::of(nullptr);
    upload(stream, to, from, bytes);
    awaitPosition(lock, stream->end());
  });
}

DRIVER_API cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return contextCall([&](Lock& lock) {
    auto stream = Stream::of(nullptr);
    download(lock, stream, to, from, bytes);
    awaitPosition(lock, stream->end());
  });
}

DRIVER_API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return contextCall([&](Lock&) { upload(Stream::of(stream), to, from, bytes); });
}

DRIVER_API cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return contextCall([&](Lock& lock) { download(lock, Stream::of(stream), to, from, bytes); });
}

DRIVER_API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return contextCall([&](Lock&) {
    Device::get().memory.reachable(to, bytes);
    Device::get().memory.reachable(from, bytes);
    submitCopy(Stream::of(stream), address(to), address(from), bytes);
  });
}

DRIVER_API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, nullptr);
}

/** Which of both is which follows from the addresses. */
DRIVER_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return contextCall([&](Lock& lock) {
    if (Device::get().memory.find(from, bytes) == nullptr) {
      upload(Stream::of(stream), to, address(from), bytes);
    } else {
      download(lock, Stream::of(stream), address(to), from, bytes);
    }
  });
}

DRIVER_API cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return contextCall([&](Lock&) { fill(Stream::of(stream), to, value, count); });
}

DRIVER_API cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return contextCall(
      [&](Lock& lock) { awaitPosition(lock, fill(Stream::of(nullptr), to, value, count)); });
}

DRIVER_API cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return contextCall([&](Lock&) { fill(Stream::of(stream), to, value, count); });
}

DRIVER_API cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return contextCall(
      [&](Lock& lock) { awaitPosition(lock, fill(Stream::of(nullptr), to, value, count)); });
}
