// Takes the place of the device's machine.cuh where kernels run on the host: each CUDA thread is a
// fiber, each block an operating system thread. Found first on the include path.
#pragma once

#include "../simt.hpp"

namespace ringkernel::machine {

constexpr uint32_t WARP = 32;
constexpr uint32_t ALL_LANES = 0xffffffff;

struct alignas(16) Pair {
  uint64_t first;
  uint64_t second;
};

// Acquire and release stand for what a fence adds on the device, so that a race detector, which
// knows no fences, can follow. The word with the tag is read first and written last.
inline uint64_t loadLong(const void* from) {
  return __atomic_load_n(static_cast<const uint64_t*>(from), __ATOMIC_ACQUIRE);
}

inline uint32_t loadInt(const void* from) {
  return __atomic_load_n(static_cast<const uint32_t*>(from), __ATOMIC_ACQUIRE);
}

inline Pair loadPair(const void* from) {
  uint64_t second = loadLong(static_cast<const uint8_t*>(from) + 8);
  return {loadLong(from), second};
}

inline void storePair(void* to, Pair pair) {
  auto* words = static_cast<uint64_t*>(to);
  __atomic_store_n(words, pair.first, __ATOMIC_RELAXED);
  __atomic_store_n(words + 1, pair.second, __ATOMIC_RELEASE);
}

inline uint4 loadWords(const void* from) {
  return *static_cast<const uint4*>(from);
}

inline float4 loadStreamed(const float4* from) {
  return *from;
}

inline void fenceSystem() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void barrier(uint32_t id, uint32_t threads) {
  simt::barrier(id, threads);
}

inline uint64_t nanoTime() {
  return simt::deviceNanoTime();
}

inline uint64_t cycles() {
  return simt::deviceNanoTime();
}

inline void pause(uint32_t nanos) {
  simt::pause(nanos);
}

inline void exitThread() {
  simt::exitThread();
}

inline uint8_t* dynamicShared() {
  return simt::dynamicShared();
}

template <typename T>
T& pinned(T& object) {
  return object;
}

template <typename T>
T peek(const T& word) {
  return *const_cast<const volatile T*>(&word);
}

template <typename T>
void poke(T& word, T value) {
  *const_cast<volatile T*>(&word) = value;
}

}  // namespace ringkernel::machine
