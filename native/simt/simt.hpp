// As much of CUDA C++ as the kernels use, on the host. A fiber runs until it waits for others of
// its warp or block, so within a block nothing happens at the same time; blocks and the test itself
// run side by side.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static thread_local

struct alignas(8) uint2 {
  uint32_t x, y;
};

struct alignas(16) uint4 {
  uint32_t x, y, z, w;
};

struct alignas(8) float2 {
  float x, y;
};

struct alignas(16) float4 {
  float x, y, z, w;
};

struct dim3 {
  uint32_t x;
};

namespace simt {

void barrier(uint32_t id, uint32_t threads);
bool barrierAny(uint32_t id, uint32_t threads, bool predicate);

/** Of the host's monotonic clock. Others run meanwhile. */
uint64_t deviceNanoTime();
void pause(uint32_t nanos);
[[noreturn]] void trap();
[[noreturn]] void exitThread();
uint8_t* dynamicShared();

/**
 * What fences do, in the words of a race detector that knows none: a fence makes acquires of the
 * loads before it, and a release of the store after it. The latest loads are remembered of each
 * thread, as many as a look at a slot takes, which is what the kernels rely on.
 */
class Ordering {
 public:
  template <typename T>
  static T load(const T* from) {
    current().remember(from);
    return __atomic_load_n(from, __ATOMIC_RELAXED);
  }

  /** Stores two words, of which either may be what another thread looks at. */
  static void store(uint64_t* words, uint64_t first, uint64_t second) {
    if (current().takesEffect()) {
      annotateRelease(words);
      annotateRelease(words + 1);
    }
    __atomic_store_n(words, first, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(words + 1, second, __ATOMIC_RELAXED);
  }

  /** Around an atomic operation, which is relaxed. */
  static void before(const void* at) {
    if (current().takesEffect()) {
      annotateRelease(at);
    }
  }

  static void after(const void* at) { current().remember(at); }

  static void fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    Ordering& ordering = current();
    for (const void* loaded : ordering.loaded_) {
      if (loaded != nullptr) {
        annotateAcquire(loaded);
      }
    }
    ordering.releases_ = true;
  }

  static void annotateAcquire(const void* at);
  static void annotateRelease(const void* at);

 private:
  /** A chunk of each of the three rows of a slot, rounded up. */
  std::array<const void*, 4> loaded_{};
  size_t loads_ = 0;
  bool releases_ = false;

  static Ordering& current();

  void remember(const void* from) { loaded_[loads_++ % loaded_.size()] = from; }

  bool takesEffect() {
    bool releases = releases_;
    releases_ = false;
    return releases;
  }
};

/** How often threads of a block have read what lies in the host's memory, for each of the first. */
std::array<std::atomic<uint64_t>, 64>& busReads();

/** How often any block has read a single word over the bus, which is the host's command. */
std::atomic<uint64_t>& wordReads();

dim3 currentThread();
dim3 currentBlock();
dim3 currentGrid();
dim3 currentBlockSize();

/** What the lanes of a warp hand each other: waits for all 32, then returns the word of a lane. */
uint64_t exchange(uint64_t word, uint32_t lane);
uint32_t ballot(bool predicate);

/** What a lane has of two matrices that are multiplied: of two rows, and of a column. */
struct Operands {
  float rows[2][4];
  float column[4];
};

/** Waits for all 32 lanes; returns what each has, until this lane waits for the others again. */
const Operands* exchange(const Operands& own);

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
inline uint32_t __popcll(uint64_t word) {
  return static_cast<uint32_t>(__builtin_popcountll(word));
}
inline uint32_t __popc(uint32_t word) {
  return __builtin_popcount(word);
}

inline int __clz(uint32_t word) {
  return word == 0 ? 32 : __builtin_clz(word);
}

inline float rsqrtf(float x) {
  return 1 / std::sqrt(x);
}
inline float __fdividef(float dividend, float divisor) {
  return dividend / divisor;
}
inline uint32_t __ffsll(uint64_t word) {
  return static_cast<uint32_t>(__builtin_ffsll(static_cast<int64_t>(word)));
}
inline uint32_t min(uint32_t one, uint32_t other) {
  return one < other ? one : other;
}
inline uint32_t __ffs(uint32_t word) {
  return __builtin_ffs(word);
}

inline void __threadfence() {
  simt::Ordering::fence();
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

template <typename T>
T __shfl_sync(uint32_t, T value, uint32_t lane) {
  uint64_t sent = 0;
  memcpy(&sent, &value, sizeof(value));
  uint64_t received = simt::exchange(sent, lane);
  memcpy(&value, &received, sizeof(value));
  return value;
}

template <typename T>
T __shfl_xor_sync(uint32_t lanes, T value, uint32_t mask) {
  return __shfl_sync(lanes, value, simt::currentThread().x % 32 ^ mask);
}

inline uint64_t __shfl_up_sync(uint32_t, uint64_t value, uint32_t delta) {
  uint32_t lane = simt::currentThread().x % 32;
  return simt::exchange(value, lane < delta ? lane : lane - delta);
}

// The types are as loose as CUDA's overloads: atomicAdd(unsigned int*, 1).
template <typename T>
struct same {
  using type = T;
};

/** An atomic operation: relaxed, as CUDA's are. */
template <typename T, typename Operation>
T relaxed(T* at, Operation operation) {
  simt::Ordering::before(at);
  T before = operation(at);
  simt::Ordering::after(at);
  return before;
}

template <typename T>
T atomicAdd(T* at, typename same<T>::type value) {
  return relaxed(at, [=](T* word) { return __atomic_fetch_add(word, value, __ATOMIC_RELAXED); });
}

template <typename T>
T atomicSub(T* at, typename same<T>::type value) {
  return relaxed(at, [=](T* word) { return __atomic_fetch_sub(word, value, __ATOMIC_RELAXED); });
}

template <typename T>
T atomicExch(T* at, typename same<T>::type value) {
  return relaxed(at, [=](T* word) { return __atomic_exchange_n(word, value, __ATOMIC_RELAXED); });
}

template <typename T>
T atomicCAS(T* at, typename same<T>::type expected, typename same<T>::type value) {
  return relaxed(at, [=](T* word) {
    T found = expected;
    __atomic_compare_exchange_n(word, &found, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return found;
  });
}

template <typename T>
T atomicMax(T* at, typename same<T>::type value) {
  return relaxed(at, [=](T* word) {
    T found = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (found < value && !__atomic_compare_exchange_n(word, &found, value, false,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return found;
  });
}

template <typename T>
T atomicOr(T* at, typename same<T>::type value) {
  return relaxed(at, [=](T* word) { return __atomic_fetch_or(word, value, __ATOMIC_RELAXED); });
}

template <typename T>
T atomicAnd(T* at, typename same<T>::type value) {
  return relaxed(at, [=](T* word) { return __atomic_fetch_and(word, value, __ATOMIC_RELAXED); });
}
