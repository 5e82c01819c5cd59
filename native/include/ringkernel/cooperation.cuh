// What the threads of a worker do together in a handler: combine a value of each, and share memory
// that is the worker's own.
#pragma once

#include <ringkernel/machine.cuh>

namespace ringkernel {

/** As many as a block of CUDA has at most. */
constexpr uint32_t MAX_WARPS_OF_BLOCK = 1024 / machine::WARP;

/** The warp of the block in which the worker begins that a thread belongs to. */
template <typename Context>
__device__ uint32_t firstWarp(const Context& ctx) {
  return (threadIdx.x - ctx.lane()) / machine::WARP;
}

/**
 * Shared memory for each worker of a block. A plain __shared__ variable is shared by all workers of
 * a block, which handle different requests at the same time:
 *
 *   __shared__ ringkernel::PerWorker<Bins> all;
 *   Bins& bins = all.of(ctx);
 *
 * It holds what earlier requests have left there. A block has 32 places, whatever the number of its
 * workers, so a type of 1 KiB takes 32 KiB of shared memory.
 */
template <typename T>
struct PerWorker {
  T places[MAX_WARPS_OF_BLOCK];

  static_assert(sizeof(places) <= 40 * 1024,
                "a block has 48 KiB of shared memory, some of it taken");

  template <typename Context>
  __device__ T& of(const Context& ctx) {
    return places[firstWarp(ctx)];
  }
};

/**
 * The part of a context that combines a value of each thread of the worker. All threads call it,
 * and all get the same result.
 */
template <typename Context>
class Cooperation {
 public:
  /** The sum. That of floating-point numbers depends on how many threads handle the request. */
  template <typename T>
  __device__ T sum(T value) const {
    return reduce(value, [](T one, T other) { return one + other; });
  }

  /** The greatest value. */
  template <typename T>
  __device__ T max(T value) const {
    return reduce(value, [](T one, T other) { return one < other ? other : one; });
  }

  /** The least value. */
  template <typename T>
  __device__ T min(T value) const {
    return reduce(value, [](T one, T other) { return other < one ? other : one; });
  }

  /**
   * @tparam T a number of 4 or 8 bytes
   * @param combine makes one value of two; commutative, as threads combine the two in either order
   */
  template <typename T, typename Combine>
  __device__ T reduce(T value, Combine combine) const {
    __shared__ T partials[MAX_WARPS_OF_BLOCK];
    const auto& ctx = static_cast<const Context&>(*this);
    for (uint32_t distance = machine::WARP / 2; distance > 0; distance /= 2) {
      value = combine(value, __shfl_xor_sync(machine::ALL_LANES, value, distance));
    }
    if (ctx.lanes() == machine::WARP) {
      return value;
    }
    const T* first = partials + firstWarp(ctx);
    // All have read the results of the last reduction.
    ctx.sync();
    if (ctx.lane() % machine::WARP == 0) {
      partials[threadIdx.x / machine::WARP] = value;
    }
    ctx.sync();
    value = first[0];
    for (uint32_t warp = 1; warp < ctx.lanes() / machine::WARP; warp++) {
      value = combine(value, first[warp]);
    }
    return value;
  }
};

}  // namespace ringkernel
