// Exact nearest-neighbour search over vectors that stay on the device: only queries and answers
// travel. Workers search side by side; a change excludes them.
#define RINGKERNEL_MAX_THREADS 512
#include <ringkernel/ring_kernel.cuh>

#include "neighbour_messages.cuh"
#include "vector_store.cuh"

namespace {

/** The codes with which a request fails. */
enum Failed : int32_t {
  /** The elements are not those of as many vectors as there are ids, or of another length. */
  WRONG_DIMENSIONS = 1,
  /** A removal names no id. */
  NO_ID = 2,
  /** The number of neighbours is negative. */
  NEGATIVE_K = 3,
  /** There is no such shard. */
  NO_SHARD = 4
};

class Handler {
 public:
  __device__ Handler(Context& ctx, const NeighbourRequest& in, NeighbourResponse& out)
      : ctx_(ctx), in_(in), out_(out), store_(ctx.state<VectorStore>()) {}

  __device__ void handle() {
    bool reads = in_.operation == Operation::QUERY || in_.operation == Operation::SIZE;
    if (ctx_.lane() == 0) {
      reads ? store_.lock.lockShared() : store_.lock.lock();
    }
    ctx_.sync();
    operate();
    // All are done with the store.
    ctx_.sync();
    if (ctx_.lane() == 0) {
      out_.size = store_.size();
      out_.version = store_.version();
      reads ? store_.lock.unlockShared() : store_.lock.unlock();
    }
  }

 private:
  Context& ctx_;
  const NeighbourRequest& in_;
  NeighbourResponse& out_;
  VectorStore& store_;

  __device__ void operate() {
    switch (in_.operation) {
      case Operation::ADD:
        add();
        break;
      case Operation::REMOVE:
        remove();
        break;
      case Operation::QUERY:
        query();
        break;
      case Operation::CLEAR:
        store_.clear(ctx_);
        break;
      case Operation::SIZE:
        break;
    }
  }

  __device__ void add() {
    uint32_t count = in_.ids.size();
    if (count == 0 && in_.vectors.size() == 0) {
      return;
    }
    uint32_t dimensions = count == 0 ? 0 : in_.vectors.size() / count;
    uint32_t capacity = static_cast<uint32_t>(in_.capacity);
    if (count == 0 || in_.vectors.size() != count * dimensions || !store_.accepts(dimensions)) {
      ctx_.fail(WRONG_DIMENSIONS);
    } else if (capacity > VectorStore::capacity(dimensions, ctx_.stateBytes())) {
      finish(Outcome::TOO_LITTLE_MEMORY);
    } else if (!store_.addAll(ctx_, in_.ids.data(), count, in_.vectors.data(), dimensions,
                              capacity)) {
      finish(Outcome::FULL);
    }
  }

  __device__ void remove() {
    if (in_.ids.size() == 0) {
      ctx_.fail(NO_ID);
    } else if (!store_.remove(ctx_, in_.ids[0])) {
      finish(Outcome::UNKNOWN_ID);
    }
  }

  __device__ void query() {
    uint32_t shard = static_cast<uint32_t>(in_.shard);
    uint32_t shards = static_cast<uint32_t>(in_.shards);
    if (in_.k < 0) {
      ctx_.fail(NEGATIVE_K);
    } else if (in_.shards < 1 || shard >= shards) {
      ctx_.fail(NO_SHARD);
    } else if (!store_.accepts(in_.vectors.size())) {
      ctx_.fail(WRONG_DIMENSIONS);
    } else {
      search(store_.shardAt(shard, shards), store_.shardAt(shard + 1, shards));
    }
  }

  __device__ void search(uint32_t from, uint32_t to) {
    uint32_t k = static_cast<uint32_t>(in_.k);
    uint32_t count = k < to - from ? k : to - from;
    // More neighbours than a response holds are no elements, and an invalid response.
    auto ids = out_.ids.resize(ctx_, count);
    auto distances = out_.distances.resize(ctx_, count);
    if (ids.size() > 0) {
      const uint64_t* nearest = store_.search(ctx_, in_.vectors.data(), from, to, count);
      for (uint32_t i = ctx_.lane(); ctx_.lane() < 32 && i < count; i += 32) {
        ids[i] = DistanceKey::id(nearest[i]);
        distances[i] = DistanceKey::distance(nearest[i]);
      }
    }
  }

  __device__ void finish(Outcome outcome) {
    if (ctx_.lane() == 0) {
      out_.outcome = outcome;
    }
  }
};

}  // namespace

RING_KERNEL(nearest_neighbours, NeighbourRequest, NeighbourResponse, VectorStore)
(Context ctx, const NeighbourRequest& in, NeighbourResponse& out) {
  Handler(ctx, in, out).handle();
}
