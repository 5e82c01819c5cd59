// The instructions that CUDA C++ has no name for, and nothing else: all inline PTX is here.
//
// "sys" accesses reach the host's memory past the L1, each in one transaction: a relaxed 16-byte
// access is single-copy atomic (PTX ISA 8.4, sm_70), which is what makes a chunk self-validating.
#pragma once

#include <cstdint>

namespace ringkernel::machine {

constexpr uint32_t WARP = 32;
constexpr uint32_t ALL_LANES = 0xffffffff;

/** Sixteen bytes that move in one access. */
struct alignas(16) Pair {
  uint64_t first;
  uint64_t second;
};

__device__ __forceinline__ Pair loadPair(const void* from) {
  Pair pair;
  asm volatile("{ .reg .b128 t; ld.relaxed.sys.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(pair.first), "=l"(pair.second)
               : "l"(from)
               : "memory");
  return pair;
}

/**
 * The same; what this thread reads behind it, or any that it meets at a barrier, is no older. In
 * place of a fence, which takes 1.5 us while other blocks look at the bus (H200). The L1 of the
 * multiprocessor is emptied each time.
 */
__device__ __forceinline__ Pair loadPairAcquire(const void* from) {
  Pair pair;
  asm volatile("{ .reg .b128 t; ld.acquire.sys.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(pair.first), "=l"(pair.second)
               : "l"(from)
               : "memory");
  return pair;
}

__device__ __forceinline__ void storePair(void* to, Pair pair) {
  asm volatile(
      "{ .reg .b128 t; mov.b128 t, {%1, %2}; st.relaxed.sys.global.b128 [%0], t; }" ::"l"(to),
      "l"(pair.first), "l"(pair.second)
      : "memory");
}

__device__ __forceinline__ uint64_t loadLong(const void* from) {
  uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}

__device__ __forceinline__ uint32_t loadInt(const void* from) {
  uint32_t value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

/** Of device memory that other multiprocessors write meanwhile. */
__device__ __forceinline__ uint64_t loadDevice(const unsigned long long* from) {
  uint64_t value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}

/** The same; what this thread reads behind it, or any that it meets at a barrier, is no older. */
__device__ __forceinline__ uint32_t loadDeviceAcquire(const unsigned int* from) {
  uint32_t value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

/** Of device memory, where another multiprocessor stores it meanwhile, in one access each. */
__device__ __forceinline__ Pair loadDevicePair(const void* from) {
  Pair pair;
  asm volatile("{ .reg .b128 t; ld.relaxed.gpu.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(pair.first), "=l"(pair.second)
               : "l"(from)
               : "memory");
  return pair;
}

__device__ __forceinline__ void storeDevicePair(void* to, Pair pair) {
  asm volatile(
      "{ .reg .b128 t; mov.b128 t, {%1, %2}; st.relaxed.gpu.global.b128 [%0], t; }" ::"l"(to),
      "l"(pair.first), "l"(pair.second)
      : "memory");
}

/**
 * Raises a number in device memory to another one if that is larger. Of an atomic whose address may
 * be one of shared memory, a thread waits to see which it is.
 */
__device__ __forceinline__ void raise(unsigned long long* number, uint64_t to) {
  asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" ::"l"(number), "l"(to) : "memory");
}

/** Four words, each atomic by itself: for payloads, which no word of is looked at for its own. */
__device__ __forceinline__ uint4 loadWords(const void* from) {
  uint4 words;
  asm volatile("ld.relaxed.sys.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
               : "l"(from)
               : "memory");
  return words;
}

/** The number that is a half in the lower 16 bits. */
__device__ __forceinline__ float ofHalf(uint32_t bits) {
  float value;
  asm("{ .reg .b16 half; cvt.u16.u32 half, %1; cvt.f32.f16 %0, half; }" : "=f"(value) : "r"(bits));
  return value;
}

/** The numbers that are the halves of a word, the lower one first. */
__device__ __forceinline__ float2 ofHalves(uint32_t bits) {
  float2 values;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
      : "=f"(values.x), "=f"(values.y)
      : "r"(bits));
  return values;
}

/** The nearest half, of two the even one. */
__device__ __forceinline__ uint16_t toHalf(float value) {
  uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

/** Two numbers, rounded to halves, the first one in the lower 16 bits. */
__device__ __forceinline__ uint32_t toHalves(float low, float high) {
  uint32_t bits;
  asm("{ .reg .b16 low, high; cvt.rn.f16.f32 low, %1; cvt.rn.f16.f32 high, %2; "
      "mov.b32 %0, {low, high}; }"
      : "=r"(bits)
      : "f"(low), "f"(high));
  return bits;
}

/**
 * The lower or the upper two of four signed bytes, as halves: the lowest bits of a half of 2^10
 * count ones.
 */
__device__ __forceinline__ uint32_t bytesToHalves(uint32_t bytes, uint32_t upper) {
  uint32_t counted = __byte_perm(bytes ^ 0x80808080, 0x64646464, upper == 0 ? 0x4140 : 0x4342);
  uint32_t bits;
  // Less 2^10 + 128.
  asm("sub.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(counted), "r"(0x64806480));
  return bits;
}

/** The sum of the products of four signed bytes each, and another one. */
__device__ __forceinline__ int32_t dotBytes(uint32_t a, uint32_t b, int32_t sum) {
  return __dp4a(static_cast<int32_t>(a), static_cast<int32_t>(b), sum);
}

/** The same, if the second four are not signed. */
__device__ __forceinline__ int32_t dotUnsignedBytes(uint32_t a, uint32_t b, int32_t sum) {
  int32_t dot;
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(dot) : "r"(a), "r"(b), "r"(sum));
  return dot;
}

/**
 * Multiplies 16 rows of eight halves by eight columns, and adds the products to sums; called by all
 * lanes of a warp. Lane l has rows l / 4 and l / 4 + 8, and in them elements 2 (l % 4) and the
 * next; the same elements of column l / 4; and the sums of its rows in columns 2 (l % 4) and the
 * next. In which order the device adds is not specified.
 */
__device__ __forceinline__ void multiplyHalves(float (&sums)[4], uint32_t first, uint32_t second,
                                               uint32_t column) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(first), "r"(second), "r"(column));
}

/**
 * The same with 16 halves, of which a lane has two pairs of each row and of its column. It needs
 * compute capability 8.0.
 * @param rows the first pair of row l / 4 and of row l / 4 + 8, then the second pairs
 * @param low the first pair of the column
 * @param high the second one
 */
__device__ __forceinline__ void multiplyHalves(float (&sums)[4], uint4 rows, uint32_t low,
                                               uint32_t high) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(rows.x), "r"(rows.y), "r"(rows.z), "r"(rows.w), "r"(low), "r"(high));
}

/** What is read of device memory once: it passes by the L1. */
template <class T>
__device__ __forceinline__ T loadStreamed(const T* from) {
  return __ldcg(from);
}

/** Orders what this thread has seen and done before it with what it does after, for the host too.
 */
__device__ __forceinline__ void fenceSystem() {
  asm volatile("fence.acq_rel.sys;" ::: "memory");
}

/**
 * For detectors of races, which know of fences alone: the words that were loaded from there have
 * arrived, since others were computed from them and stored. The host may write them again.
 */
__device__ __forceinline__ void hasRead(const void*) {}

/**
 * For the same: a request was found whose position is a lap later than the response that the host
 * has read there. No store is made ahead of the branch that it depends on.
 */
__device__ __forceinline__ void mayWrite(void*) {}

/**
 * Synchronizes some warps of the block, and orders their accesses to shared and global memory. Not
 * the aligned form: a handler may leave the threads of a warp diverged.
 */
__device__ __forceinline__ void barrier(uint32_t id, uint32_t threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/** The same; tells all of them whether any came with a predicate that holds. */
__device__ __forceinline__ bool barrierAny(uint32_t id, uint32_t threads, bool predicate) {
  uint32_t any;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %3, 0; barrier.red.or.pred p, %1, %2, p; "
      "selp.u32 %0, 1, 0, p; }"
      : "=r"(any)
      : "r"(id), "r"(threads), "r"(static_cast<uint32_t>(predicate))
      : "memory");
  return any != 0;
}

/** Nanoseconds; the same clock on all multiprocessors, in steps of up to a microsecond. */
__device__ __forceinline__ uint64_t nanoTime() {
  uint64_t nanos;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanos)::"memory");
  return nanos;
}

/** Cycles of this multiprocessor. */
__device__ __forceinline__ uint64_t cycles() {
  uint64_t count;
  asm volatile("mov.u64 %0, %clock64;" : "=l"(count)::"memory");
  return count;
}

__device__ __forceinline__ void pause(uint32_t nanos) {
  __nanosleep(nanos);
}

/** Ends this thread, and no other. */
__device__ __forceinline__ void exitThread() {
  asm volatile("exit;");
}

/** The shared memory whose size the launch states. */
__device__ __forceinline__ uint8_t* dynamicShared() {
  extern __shared__ uint4 memory[];
  return reinterpret_cast<uint8_t*>(memory);
}

/**
 * The same object of shared memory by an address that stays in a register. Of a variable the
 * compiler works the address out anew at each use, from a special register that is slow to read.
 */
template <typename T>
__device__ __forceinline__ T& pinned(T& object) {
  auto address = static_cast<uint32_t>(__cvta_generic_to_shared(&object));
  asm volatile("" : "+r"(address));
  return *static_cast<T*>(__cvta_shared_to_generic(address));
}

/**
 * The same number in a register. What a launch tells, the compiler loads anew from constant memory
 * at each use, which a request that is there would wait for.
 */
__device__ __forceinline__ uint32_t kept(uint32_t number) {
  asm volatile("" : "+r"(number));
  return number;
}

/** The same of an address. */
__device__ __forceinline__ uint8_t* kept(uint8_t* address) {
  asm volatile("" : "+l"(address));
  return address;
}

/** A word of shared memory that other warps write meanwhile. */
template <typename T>
__device__ __forceinline__ T peek(const T& word) {
  return *const_cast<const volatile T*>(&word);
}

template <typename T>
__device__ __forceinline__ void poke(T& word, T value) {
  *const_cast<volatile T*>(&word) = value;
}

/**
 * A word of shared memory by which another warp of the block tells this one of what it has seen: to
 * this thread, what it reads behind it is no older. In place of a fence, which waits for all loads
 * that are on their way.
 */
__device__ __forceinline__ uint32_t hear(const uint32_t& word) {
  uint32_t value;
  asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(value) : "l"(&word) : "memory");
  return value;
}

/** Stores a word that another warp of the block hears. */
__device__ __forceinline__ void tell(uint32_t& word, uint32_t value) {
  asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(&word), "r"(value) : "memory");
}

}  // namespace ringkernel::machine
