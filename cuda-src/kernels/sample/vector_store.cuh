// Vectors of the same length in one dense array, row after row, each row padded with zeros to whole
// 16-byte units. A removed row is filled with the last one, so that a search runs over memory
// without gaps.
#pragma once

#include "id_index.cuh"
#include "shared_lock.cuh"
#include "top_k.cuh"

/**
 * Lies in device memory and is zero at first. The length of its vectors is that of the first ones
 * that are stored while it is empty.
 *
 * The methods are called by all threads of a worker; those that change it, under the lock.
 */
class VectorStore {
 public:
  static constexpr uint32_t MAX_ROWS = 100'000;
  static constexpr uint32_t MAX_FLOATS = MAX_ROWS * 128;
  static constexpr uint32_t MAX_BATCH = 1024;
  /** How many warps may search at once. */
  static constexpr uint32_t MAX_WARPS = 4096;

  SharedLock lock;

  __device__ uint32_t size() const { return size_; }

  /** Whether vectors of a length can be stored or searched for. */
  __device__ bool accepts(uint32_t dimensions) const {
    return dimensions > 0 && (size_ == 0 || dimensions == dimensions_);
  }

  /** Stores all vectors, or none if there is no room for all of them. */
  __device__ bool addAll(const Context& ctx, const int32_t* ids, uint32_t count,
                         const float* vectors, uint32_t dimensions) {
    uint32_t stride = aligned(dimensions);
    uint32_t capacity = MAX_FLOATS / stride < MAX_ROWS ? MAX_FLOATS / stride : MAX_ROWS;
    if (ctx.lane() == 0) {
      unknown_ = 0;
    }
    ctx.sync();
    for (uint32_t i = ctx.lane(); i < count; i += ctx.lanes()) {
      if (index_.find(ids[i]) < 0 && !occursBefore(ids, i)) {
        atomicAdd(&unknown_, 1);
      }
    }
    ctx.sync();
    if (unknown_ > capacity - size_) {
      return false;
    }
    // All have read the size before it grows.
    ctx.sync();
    if (ctx.lane() == 0) {
      dimensions_ = dimensions;
      for (uint32_t i = 0; i < count; i++) {
        rows_[i] = row(ids[i]);
      }
    }
    ctx.sync();
    // One vector after another, so that of two with the same id the last one stays.
    for (uint32_t i = 0; i < count; i++) {
      float* to = vectors_ + static_cast<uint64_t>(rows_[i]) * stride;
      for (uint32_t d = ctx.lane(); d < stride; d += ctx.lanes()) {
        to[d] = d < dimensions ? vectors[i * dimensions + d] : 0;
      }
    }
    return true;
  }

  /** Removes the vector with an id, if there is one. */
  __device__ bool remove(const Context& ctx, int32_t id) {
    int32_t row = index_.find(id);
    if (row < 0) {
      return false;
    }
    uint32_t last = size_ - 1;
    uint32_t stride = aligned(dimensions_);
    for (uint32_t d = ctx.lane(); d < stride; d += ctx.lanes()) {
      vectors_[static_cast<uint64_t>(row) * stride + d] =
          vectors_[static_cast<uint64_t>(last) * stride + d];
    }
    // All have looked the id up before it is forgotten.
    ctx.sync();
    if (ctx.lane() == 0) {
      index_.remove(id);
      if (static_cast<uint32_t>(row) != last) {
        ids_[row] = ids_[last];
        index_.put(ids_[row], row);
      }
      size_ = last;
    }
    return true;
  }

  __device__ void clear(const Context& ctx) {
    index_.clear(ctx.lane(), ctx.lanes());
    if (ctx.lane() == 0) {
      size_ = 0;
    }
  }

  /**
   * Finds the nearest vectors to one; afterwards, the first warp of the worker has them. Each warp
   * searches its share of the rows, the first merges what they found.
   */
  __device__ void search(const Context& ctx, const float* vector, TopK& nearest) {
    uint32_t warps = ctx.lanes() / 32;
    uint32_t warp = ctx.lane() / 32;
    scan(vector, warp, warps, ctx.lane() % 32, nearest);
    if (warps > 1) {
      uint64_t(*lists)[TopK::MAX] = lists_ + ctx.worker() * warps;
      nearest.store(lists[warp]);
      ctx.sync();
      for (uint32_t other = 1; warp == 0 && other < warps; other++) {
        nearest.merge(lists[other]);
      }
    }
  }

 private:
  /** Rows that a warp reads at once, to have more than one read in flight. */
  static constexpr uint32_t ROWS_AT_ONCE = 4;

  uint32_t size_;
  uint32_t dimensions_;
  uint32_t unknown_;
  uint32_t rows_[MAX_BATCH];
  int32_t ids_[MAX_ROWS];
  IdIndex<1 << 18> index_;
  uint64_t lists_[MAX_WARPS][TopK::MAX];
  alignas(256) float vectors_[MAX_FLOATS];

  __device__ static uint32_t aligned(uint32_t dimensions) { return (dimensions + 3) / 4 * 4; }

  __device__ static bool occursBefore(const int32_t* ids, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
      if (ids[i] == ids[index]) {
        return true;
      }
    }
    return false;
  }

  __device__ uint32_t row(int32_t id) {
    int32_t known = index_.find(id);
    if (known >= 0) {
      return known;
    }
    ids_[size_] = id;
    index_.put(id, size_);
    return size_++;
  }

  /**
   * A row is read by as many lanes as it has 16-byte units, rounded up to a power of two: 32 for
   * 128 elements and more. So a warp reads neighbouring memory whatever the length of a row.
   */
  __device__ void scan(const float* vector, uint32_t warp, uint32_t warps, uint32_t lane,
                       TopK& nearest) const {
    uint32_t units = aligned(dimensions_) / 4;
    uint32_t group = 1;
    while (group < units && group < 32) {
      group *= 2;
    }
    uint32_t member = lane % group;
    uint32_t perPass = 32 / group;
    uint32_t step = warps * perPass;
    for (uint32_t base = warp * perPass; base < size_; base += ROWS_AT_ONCE * step) {
      uint32_t row = base + lane / group;
      float distances[ROWS_AT_ONCE] = {};
#pragma unroll 1
      for (uint32_t unit = member; unit < units; unit += group) {
        float4 query = load(vector, unit);
#pragma unroll
        for (uint32_t r = 0; r < ROWS_AT_ONCE; r++) {
          if (row + r * step < size_) {
            distances[r] += squared(stored(row + r * step, units, unit), query);
          }
        }
      }
      for (uint32_t mask = group / 2; mask > 0; mask /= 2) {
#pragma unroll
        for (float& distance : distances) {
          distance += __shfl_xor_sync(ringkernel::machine::ALL_LANES, distance, mask);
        }
      }
      // Not unrolled, for the sake of registers: candidates become rare soon.
#pragma unroll 1
      for (uint32_t r = 0; r < ROWS_AT_ONCE; r++) {
        bool offers = member == 0 && row < size_;
        nearest.offer(offers ? TopK::key(distances[0], ids_[row]) : 0, offers);
#pragma unroll
        for (uint32_t i = 1; i < ROWS_AT_ONCE; i++) {
          distances[i - 1] = distances[i];
        }
        row += step;
      }
    }
  }

  __device__ float4 stored(uint32_t row, uint32_t units, uint32_t unit) const {
    return reinterpret_cast<const float4*>(vectors_)[static_cast<uint64_t>(row) * units + unit];
  }

  /** A unit of the query, which is not padded. */
  __device__ float4 load(const float* vector, uint32_t unit) const {
    uint32_t d = 4 * unit;
    if (d + 4 <= dimensions_) {
      return *reinterpret_cast<const float4*>(vector + d);
    }
    float4 tail;
    tail.x = vector[d];
    tail.y = d + 1 < dimensions_ ? vector[d + 1] : 0;
    tail.z = d + 2 < dimensions_ ? vector[d + 2] : 0;
    tail.w = 0;
    return tail;
  }

  __device__ static float squared(float4 a, float4 b) {
    float x = a.x - b.x;
    float y = a.y - b.y;
    float z = a.z - b.z;
    float w = a.w - b.w;
    return (x * x + y * y) + (z * z + w * w);
  }
};
