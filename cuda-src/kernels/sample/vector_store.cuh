// Vectors of the same length in one dense array, row after row, each row padded with zeros to whole
// 16-byte units. A removed row is filled with the last one, so that a search runs over memory
// without gaps.
//
// What a change writes is seen by every search that takes the lock after it: the threads of the
// writer meet before its first thread releases the lock (a fence, then an atomic on the lock's
// word), a reader's first thread takes it (an atomic on that word, then a fence), and then meets
// the others. A caller that sends a search after it got the answer to its change comes later than
// the release, since a worker answers after it has released.
#pragma once

#include "../shared_lock.cuh"
#include "../top_k.cuh"
#include "../vector_units.cuh"
#include "distance_key.cuh"
#include "id_index.cuh"

/**
 * Lies at the start of the handler's state, with the vectors behind it, and is zero at first. The
 * length of its vectors is that of the first ones that are stored while it is empty.
 *
 * The methods are called by all threads of a worker; those that change it, under the lock.
 */
class VectorStore {
 public:
  static constexpr uint32_t MAX_BATCH = 1024;

  /** Where in the state the vectors begin. */
  static constexpr uint64_t VECTORS_AT = 16 << 10;

  /** A block has at most so many threads. */
  static constexpr uint32_t MAX_WARPS_PER_BLOCK = RINGKERNEL_MAX_THREADS / machine::WARP;

  SharedLock lock;

  __device__ uint32_t size() const { return size_; }

  /** How often it was changed. */
  __device__ int64_t version() const { return version_; }

  /** Whether vectors of a length can be stored or searched for. */
  __device__ bool accepts(uint32_t dimensions) const {
    return dimensions > 0 && (size_ == 0 || dimensions == dimensions_);
  }

  /**
   * How many vectors of a length the state holds.
   * @param stateBytes the size of the state, of which the store is the beginning
   */
  __device__ static uint32_t capacity(uint32_t dimensions, uint64_t stateBytes) {
    if (stateBytes <= VECTORS_AT + SLACK) {
      return 0;
    }
    uint64_t rows =
        (stateBytes - VECTORS_AT - SLACK) / (16ull * unitsOf(dimensions) + BYTES_BESIDE_ELEMENTS);
    return rows < MAX_ROWS ? rows : MAX_ROWS;
  }

  /**
   * Stores all vectors, or none if there would be more than the capacity.
   * @param capacity at most what the state holds
   */
  __device__ bool addAll(const Context& ctx, const int32_t* ids, uint32_t count,
                         const float* vectors, uint32_t dimensions, uint32_t capacity) {
    if (dimensions != dimensions_) {
      layOut(ctx, dimensions);
    }
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
    if (unknown_ > capacity || size_ > capacity - unknown_) {
      return false;
    }
    // All have read the size before it grows.
    ctx.sync();
    if (ctx.lane() == 0) {
      version_++;
      for (uint32_t i = 0; i < count; i++) {
        rows_[i] = row(ids[i]);
      }
    }
    ctx.sync();
    // One vector after another, so that of two with the same id the last one stays.
    uint32_t stride = 4 * unitsOf(dimensions);
    for (uint32_t i = 0; i < count; i++) {
      float* to = elements(rows_[i]);
      for (uint32_t d = ctx.lane(); d < stride; d += ctx.lanes()) {
        to[d] = d < dimensions ? vectors[i * dimensions + d] : 0;
      }
    }
    return true;
  }

  /** Removes the vector with an id, if there is one. */
  __device__ bool remove(const Context& ctx, int32_t id) {
    int32_t row = size_ == 0 ? IdIndex::UNKNOWN : index_.find(id);
    if (row < 0) {
      return false;
    }
    uint32_t last = size_ - 1;
    for (uint32_t d = ctx.lane(); d < 4 * unitsOf(dimensions_); d += ctx.lanes()) {
      elements(row)[d] = elements(last)[d];
    }
    // All have looked the id up before it is forgotten.
    ctx.sync();
    if (ctx.lane() == 0) {
      index_.remove(id);
      if (static_cast<uint32_t>(row) != last) {
        ids()[row] = ids()[last];
        index_.put(ids()[row], row);
      }
      size_ = last;
      version_++;
    }
    return true;
  }

  __device__ void clear(const Context& ctx) {
    if (dimensions_ != 0) {
      index_.clear(ctx.lane(), ctx.lanes());
    }
    if (ctx.lane() == 0) {
      size_ = 0;
      version_++;
    }
  }

  /** The first row of a shard; that of the shard behind the last one is the end. */
  __device__ uint32_t shardAt(uint32_t shard, uint32_t shards) const {
    return static_cast<uint64_t>(shard) * size_ / shards;
  }

  /**
   * Finds the nearest vectors to one among some rows. Each warp searches its share of the rows, the
   * first merges what they found.
   * @param k from 1 to TopK::MAX
   * @return the keys of the nearest, for the first warp of the worker
   */
  __device__ const uint64_t* search(const Context& ctx, const float* vector, uint32_t from,
                                    uint32_t to, uint32_t k) const {
    __shared__ uint64_t lists[MAX_WARPS_PER_BLOCK][TopK::MAX];
    uint32_t warps = ctx.lanes() / machine::WARP;
    uint32_t warp = ctx.lane() / machine::WARP;
    uint32_t lane = ctx.lane() % machine::WARP;
    uint64_t(*list)[TopK::MAX] = lists + threadIdx.x / machine::WARP;
    TopK nearest(*list, k, lane);
    scan(vector, Rows{from, to, warp, warps}, lane, nearest);
    ctx.sync();
    for (uint32_t other = 1; warp == 0 && other < warps; other++) {
      nearest.merge(list[other]);
    }
    return *list;
  }

 private:
  /**
   * Rows whose reads a lane has in flight: 16 warps times 6 times 512 bytes are 48 KiB, and a
   * multiprocessor of an H200 draws its share of the memory's bandwidth with 36 KiB in flight (4.8
   * TB/s times a microsecond, divided by 132). With 8 rows, registers would not do.
   */
  static constexpr uint32_t ROWS_AT_ONCE = 6;

  /** The rows of a search, dealt out to warps. */
  struct Rows {
    uint32_t from;
    uint32_t to;
    uint32_t warp;
    uint32_t warps;
  };

  static constexpr uint32_t MAX_ROWS = 1 << 29;

  /** An id, and at most four entries of the index, as their number is a power of two. */
  static constexpr uint64_t BYTES_BESIDE_ELEMENTS = sizeof(int32_t) + 4 * sizeof(IdIndex::Entry);

  /** The parts of the state are aligned, and an index has some entries. */
  static constexpr uint64_t SLACK = 1024;

  uint32_t size_;
  uint32_t dimensions_;
  int64_t version_;
  uint32_t unknown_;
  /** How many bytes behind this object the ids begin; what is saved holds no address. */
  uint64_t idsAt_;
  IdIndex index_;
  uint32_t rows_[MAX_BATCH];

  /** Divides the memory for vectors of a length; it is empty, and the length accepted. */
  __device__ void layOut(const Context& ctx, uint32_t dimensions) {
    // All have compared the length before it changes.
    ctx.sync();
    if (ctx.lane() == 0) {
      uint64_t rows = capacity(dimensions, ctx.stateBytes());
      uint64_t entries = IdIndex::entriesFor(rows);
      uint8_t* at = reinterpret_cast<uint8_t*>(this) + VECTORS_AT;
      at += rows * 16 * unitsOf(dimensions);
      index_.place(reinterpret_cast<IdIndex::Entry*>(at), entries);
      at += entries * sizeof(IdIndex::Entry);
      idsAt_ = at - reinterpret_cast<uint8_t*>(this);
      dimensions_ = dimensions;
    }
    ctx.sync();
    index_.clear(ctx.lane(), ctx.lanes());
  }

  __device__ float* vectors() const {
    return reinterpret_cast<float*>(reinterpret_cast<uintptr_t>(this) + VECTORS_AT);
  }

  __device__ int32_t* ids() const {
    return reinterpret_cast<int32_t*>(reinterpret_cast<uintptr_t>(this) + idsAt_);
  }

  __device__ float* elements(uint32_t row) const {
    return vectors() + static_cast<uint64_t>(row) * 4 * unitsOf(dimensions_);
  }

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
    ids()[size_] = id;
    index_.put(id, size_);
    return size_++;
  }

  /**
   * A row is read by as many lanes as it has 16-byte units, rounded up to a power of two: 32 for
   * 128 elements and more. So a warp reads neighbouring memory whatever the length of a row.
   */
  __device__ void scan(const float* vector, Rows rows, uint32_t lane, TopK& nearest) const {
    uint32_t units = unitsOf(dimensions_);
    uint32_t group = 1;
    while (group < units && group < machine::WARP) {
      group *= 2;
    }
    uint32_t member = lane % group;
    uint32_t perPass = machine::WARP / group;
    uint32_t step = rows.warps * perPass;
    for (uint32_t base = rows.from + rows.warp * perPass; base < rows.to;
         base += ROWS_AT_ONCE * step) {
      uint32_t row = base + lane / group;
      float distances[ROWS_AT_ONCE] = {};
#pragma unroll 1
      for (uint32_t unit = member; unit < units; unit += group) {
        // All reads before the first use. Those behind the end read the last row once more, which
        // costs less than to ask about each of them.
        float4 read[ROWS_AT_ONCE];
#pragma unroll
        for (uint32_t r = 0; r < ROWS_AT_ONCE; r++) {
          uint32_t wanted = row + r * step;
          read[r] = stored(wanted < rows.to ? wanted : rows.to - 1, units, unit);
        }
        float4 query = unitOf(vector, unit, dimensions_);
#pragma unroll
        for (uint32_t r = 0; r < ROWS_AT_ONCE; r++) {
          distances[r] += squared(read[r], query);
        }
      }
      for (uint32_t mask = group / 2; mask > 0; mask /= 2) {
#pragma unroll
        for (float& distance : distances) {
          distance += __shfl_xor_sync(machine::ALL_LANES, distance, mask);
        }
      }
      offer(distances, member, group, Rows{row, rows.to, 0, step}, nearest);
    }
  }

  /**
   * Offers what a pass has found. All lanes of a group have the distances of its rows, so that its
   * members offer one row each.
   */
  __device__ void offer(const float (&distances)[ROWS_AT_ONCE], uint32_t member, uint32_t group,
                        Rows rows, TopK& nearest) const {
#pragma unroll 1
    for (uint32_t first = 0; first < ROWS_AT_ONCE; first += group) {
      uint32_t index = first + member;
      float distance = 0;
#pragma unroll
      for (uint32_t r = 0; r < ROWS_AT_ONCE; r++) {
        distance = r == index ? distances[r] : distance;
      }
      uint32_t row = rows.from + index * rows.warps;
      bool offers = index < ROWS_AT_ONCE && row < rows.to &&
                    DistanceKey::mayPrecede(distance, nearest.worst());
      // Soon there is none in most passes, and no id has to be read.
      if (__any_sync(machine::ALL_LANES, offers)) {
        nearest.offer(offers ? DistanceKey::of(distance, ids()[row]) : 0, offers);
      }
    }
  }

  __device__ float4 stored(uint32_t row, uint32_t units, uint32_t unit) const {
    const auto* all = reinterpret_cast<const float4*>(vectors());
    return machine::loadStreamed(all + static_cast<uint64_t>(row) * units + unit);
  }

  __device__ static float squared(float4 a, float4 b) {
    float x = a.x - b.x;
    float y = a.y - b.y;
    float z = a.z - b.z;
    float w = a.w - b.w;
    return (x * x + y * y) + (z * z + w * w);
  }
};

static_assert(sizeof(VectorStore) <= VectorStore::VECTORS_AT);
