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

// Relaxed accesses are relaxed: a fence orders them, as on the device, or nothing does. The word
// with the tag is read first and written last, as if both moved at once.
inline uint64_t loadLong(const void* from) {
  return simt::Ordering::load(static_cast<const uint64_t*>(from));
}

inline uint32_t loadInt(const void* from) {
  simt::wordReads().fetch_add(1, std::memory_order_relaxed);
  return __atomic_load_n(static_cast<const uint32_t*>(from), __ATOMIC_RELAXED);
}

inline uint64_t loadDevice(const unsigned long long* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

inline uint32_t loadDeviceAcquire(const unsigned int* from) {
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

inline Pair loadDevicePair(const void* from) {
  auto words = static_cast<const uint64_t*>(from);
  uint64_t second = __atomic_load_n(words + 1, __ATOMIC_ACQUIRE);
  return {__atomic_load_n(words, __ATOMIC_RELAXED), second};
}

inline Pair loadPair(const void* from) {
  simt::busReads()[blockIdx.x % simt::busReads().size()].fetch_add(1, std::memory_order_relaxed);
  uint64_t second = loadLong(static_cast<const uint8_t*>(from) + 8);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return {__atomic_load_n(static_cast<const uint64_t*>(from), __ATOMIC_RELAXED), second};
}

inline Pair loadPairAcquire(const void* from) {
  Pair pair = loadPair(from);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  simt::Ordering::annotateAcquire(from);
  simt::Ordering::annotateAcquire(static_cast<const uint8_t*>(from) + 8);
  return pair;
}

inline void storePair(void* to, Pair pair) {
  simt::Ordering::store(static_cast<uint64_t*>(to), pair.first, pair.second);
}

inline void storeDevicePair(void* to, Pair pair) {
  auto words = static_cast<uint64_t*>(to);
  __atomic_store_n(words, pair.first, __ATOMIC_RELAXED);
  __atomic_store_n(words + 1, pair.second, __ATOMIC_RELEASE);
}

inline void raise(unsigned long long* number, uint64_t to) {
  atomicMax(number, to);
}

inline uint4 loadWords(const void* from) {
  return *static_cast<const uint4*>(from);
}

// As integers: without the instructions for it, a compiler calls a function for each conversion.
inline float ofHalf(uint32_t bits) {
  uint32_t magnitude = (bits & 0x7fff) << 13;
  float value = __uint_as_float(magnitude) * 0x1p112f;
  uint32_t infinite = (bits & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
  return __uint_as_float(__float_as_uint(value) | infinite | (bits & 0x8000) << 16);
}

inline float2 ofHalves(uint32_t bits) {
  return {ofHalf(bits), ofHalf(bits >> 16)};
}

inline uint16_t toHalf(float value) {
  auto half = static_cast<_Float16>(value);
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}

inline uint32_t toHalves(float low, float high) {
  return toHalf(low) | static_cast<uint32_t>(toHalf(high)) << 16;
}

inline uint32_t bytesToHalves(uint32_t bytes, uint32_t upper) {
  uint32_t two = bytes >> 16 * upper;
  return toHalves(static_cast<int8_t>(two), static_cast<int8_t>(two >> 8));
}

inline int32_t dotBytes(uint32_t a, uint32_t b, int32_t sum) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    sum += static_cast<int8_t>(a >> shift) * static_cast<int8_t>(b >> shift);
  }
  return sum;
}

inline int32_t dotUnsignedBytes(uint32_t a, uint32_t b, int32_t sum) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    sum += static_cast<int8_t>(a >> shift) * static_cast<uint8_t>(b >> shift);
  }
  return sum;
}

// The order of the sums is that of pairs, then of lanes, then of the two of a pair.
template <uint32_t PAIRS>
void multiplyHalves(float (&sums)[4], const simt::Operands& own) {
  uint32_t lane = simt::currentThread().x % WARP;
  const simt::Operands* lanes = simt::exchange(own);
  for (uint32_t pair = 0; pair < PAIRS; pair++) {
    for (uint32_t i = 0; i < 4; i++) {
      const simt::Operands& rows = lanes[lane / 4 * 4 + i];
      for (uint32_t n = 0; n < 2; n++) {
        const float* column = lanes[(lane % 4 * 2 + n) * 4 + i].column + 2 * pair;
        for (uint32_t row = 0; row < 2; row++) {
          sums[2 * row + n] += rows.rows[row][2 * pair] * column[0];
          sums[2 * row + n] += rows.rows[row][2 * pair + 1] * column[1];
        }
      }
    }
  }
}

inline void setPair(float* pair, uint32_t halves) {
  pair[0] = ofHalf(halves);
  pair[1] = ofHalf(halves >> 16);
}

inline void multiplyHalves(float (&sums)[4], uint32_t first, uint32_t second, uint32_t column) {
  simt::Operands own;
  setPair(own.rows[0], first);
  setPair(own.rows[1], second);
  setPair(own.column, column);
  multiplyHalves<1>(sums, own);
}

inline void multiplyHalves(float (&sums)[4], uint4 rows, uint32_t low, uint32_t high) {
  simt::Operands own;
  setPair(own.rows[0], rows.x);
  setPair(own.rows[1], rows.y);
  setPair(own.rows[0] + 2, rows.z);
  setPair(own.rows[1] + 2, rows.w);
  setPair(own.column, low);
  setPair(own.column + 2, high);
  multiplyHalves<2>(sums, own);
}

template <class T>
T loadStreamed(const T* from) {
  return *from;
}

inline void fenceSystem() {
  simt::Ordering::fence();
}

inline void hasRead(const void* from) {
  simt::Ordering::annotateRelease(from);
}

inline void mayWrite(void* to) {
  simt::Ordering::annotateAcquire(to);
}

inline void barrier(uint32_t id, uint32_t threads) {
  simt::barrier(id, threads);
}

inline bool barrierAny(uint32_t id, uint32_t threads, bool predicate) {
  return simt::barrierAny(id, threads, predicate);
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

inline uint32_t kept(uint32_t number) {
  return number;
}

inline uint8_t* kept(uint8_t* address) {
  return address;
}

template <typename T>
T peek(const T& word) {
  return *const_cast<const volatile T*>(&word);
}

template <typename T>
void poke(T& word, T value) {
  *const_cast<volatile T*>(&word) = value;
}

// The threads of a block are fibers of one thread of the operating system.
inline uint32_t hear(const uint32_t& word) {
  return peek(word);
}

inline void tell(uint32_t& word, uint32_t value) {
  poke(word, value);
}

}  // namespace ringkernel::machine
