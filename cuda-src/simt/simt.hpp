// As much of CUDA C++ as the kernels use, on the host. A fiber runs until it waits for others of
// its warp or block, so within a block nothing happens at the same time; blocks and the test itself
// run side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static thread_local

struct alignas(16) uint4 {
  uint32_t x, y, z, w;
};

struct alignas(16) float4 {
  float x, y, z, w;
};

struct dim3 {
  uint32_t x;
};

namespace simt {

void barrier(uint32_t id, uint32_t threads);

/** Of the host's monotonic clock. Others run meanwhile. */
uint64_t deviceNanoTime();
void pause(uint32_t nanos);
[[noreturn]] void trap();
[[noreturn]] void exitThread();
uint8_t* dynamicShared();

dim3 currentThread();
dim3 currentBlock();
dim3 currentGrid();
dim3 currentBlockSize();

/** What the lanes of a warp hand each other: waits for all 32, then returns the word of a lane. */
uint64_t exchange(uint64_t word, uint32_t lane);
uint32_t ballot(bool predicate);

}  // namespace simt

#define threadIdx simt::currentThread()
#define blockIdx simt::currentBlock()
#define gridDim simt::currentGrid()
#define blockDim simt::currentBlockSize()

inline void __syncwarp() {
  simt::ballot(true);
}
void __syncthreads();
inline void __trap() {
  simt::trap();
}
inline void __threadfence_block() {}
inline uint32_t __ballot_sync(uint32_t, bool predicate) {
  return simt::ballot(predicate);
}
inline bool __any_sync(uint32_t, bool predicate) {
  return simt::ballot(predicate) != 0;
}
inline uint32_t __popc(uint32_t word) {
  return __builtin_popcount(word);
}

inline int __clz(uint32_t word) {
  return word == 0 ? 32 : __builtin_clz(word);
}

inline uint32_t __ffs(uint32_t word) {
  return __builtin_ffs(word);
}

inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <typename To, typename From>
To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

inline uint32_t __float_as_uint(float value) {
  return bits<uint32_t>(value);
}

inline float __uint_as_float(uint32_t value) {
  return bits<float>(value);
}

inline float __shfl_xor_sync(uint32_t, float value, uint32_t mask) {
  uint32_t lane = simt::currentThread().x % 32;
  return bits<float>(static_cast<uint32_t>(simt::exchange(bits<uint32_t>(value), lane ^ mask)));
}

inline uint64_t __shfl_up_sync(uint32_t, uint64_t value, uint32_t delta) {
  uint32_t lane = simt::currentThread().x % 32;
  return simt::exchange(value, lane < delta ? lane : lane - delta);
}

template <typename T>
T __shfl_sync(uint32_t, T value, uint32_t lane) {
  return static_cast<T>(simt::exchange(static_cast<uint64_t>(value), lane));
}

// The types are as loose as CUDA's overloads: atomicAdd(unsigned int*, 1).
template <typename T>
struct same {
  using type = T;
};

template <typename T>
T atomicAdd(T* at, typename same<T>::type value) {
  return __atomic_fetch_add(at, value, __ATOMIC_ACQ_REL);
}

template <typename T>
T atomicSub(T* at, typename same<T>::type value) {
  return __atomic_fetch_sub(at, value, __ATOMIC_ACQ_REL);
}

template <typename T>
T atomicExch(T* at, typename same<T>::type value) {
  return __atomic_exchange_n(at, value, __ATOMIC_ACQ_REL);
}

template <typename T>
T atomicCAS(T* at, typename same<T>::type expected, typename same<T>::type value) {
  __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}

template <typename T>
T atomicOr(T* at, typename same<T>::type value) {
  return __atomic_fetch_or(at, value, __ATOMIC_ACQ_REL);
}

template <typename T>
T atomicAnd(T* at, typename same<T>::type value) {
  return __atomic_fetch_and(at, value, __ATOMIC_ACQ_REL);
}
