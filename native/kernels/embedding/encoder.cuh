// A BERT encoder with mean pooling: the tokens of a text become a vector of length 1.
//
// Weights, and what is multiplied by them, are halves; all else is computed in single precision,
// and added in an order that depends on nothing but the text. So a text has one vector, whether one
// worker encodes it or several.
#pragma once

#define RINGKERNEL_MAX_THREADS 512
// It takes workers of so many threads alone.
#define RINGKERNEL_ONE_WARP_APART false
#include <ringkernel/ring_kernel.cuh>

#include "encoder_job.cuh"
#include "encoder_rows.cuh"

/** The codes with which a request fails. */
enum EncoderFailed : int32_t {
  /** There are no tokens, or too many, or one is not in the vocabulary. */
  WRONG_TOKENS = 1,
  /** Words lie behind the end of the state, or it has no room to compute. */
  NO_MEMORY = 2,
  /** A worker has another number of threads than the image is for. */
  WRONG_THREADS = 3
};

/** The state of the handler; the image lies behind it, and what is computed behind that. */
struct EncoderState {
  /** A bit for each worker that calls others. */
  alignas(128) unsigned long long calls;
};

class Encoder {
 public:
  __device__ Encoder(Context& ctx, const EncoderRequest& in, EncoderResponse& out)
      : ctx_(ctx), in_(in), out_(out) {}

  __device__ __noinline__ void handle() {
    if (ctx_.lanes() != RINGKERNEL_MAX_THREADS) {
      if (!ctx_.isAssisting()) {
        ctx_.fail(WRONG_THREADS);
      }
    } else if (ctx_.isAssisting()) {
      assist();
    } else if (in_.operation == EncoderOperation::LOAD) {
      load();
    } else if (in_.stamp == 0 || EncoderModel::stampOf(image()) != in_.stamp) {
      if (ctx_.lane() == 0) {
        out_.outcome = EncoderOutcome::STALE;
      }
    } else {
      encode();
    }
  }

 private:
  static constexpr uint32_t WARPS = RINGKERNEL_MAX_THREADS / machine::WARP;
  /** Groups of eight columns that a warp has of a row. */
  static constexpr uint32_t GROUPS = EncoderModel::HIDDEN / 8 / WARPS;
  /** As many workers have a bit by which they call. */
  static constexpr uint32_t CALLERS = 64;

  Context& ctx_;
  const EncoderRequest& in_;
  EncoderResponse& out_;

  // Of the block, which is the worker: what the context tells is in memory.
  __device__ static uint32_t lane() { return threadIdx.x % machine::WARP; }
  __device__ static uint32_t warp() { return threadIdx.x / machine::WARP; }

  /** Not kept: of what it is told, the compiler does not know that it is shared memory. */
  __device__ static EncoderScratch& scratch() { return EncoderScratch::ofBlock(); }

  __device__ static EncoderJob& job() { return *reinterpret_cast<EncoderJob*>(scratch().job); }

  __device__ unsigned long long& calls() const { return ctx_.state<EncoderState>().calls; }

  __device__ uint32_t* image() const {
    return reinterpret_cast<uint32_t*>(&ctx_.state<EncoderState>() + 1);
  }

  /** Where a worker computes, from the beginning of the state. */
  __device__ uint64_t memoryAt(const EncoderModel& model, uint32_t worker) const {
    return sizeof(EncoderState) + inLines(4 * uint64_t(model.length())) +
           worker * EncoderMemory::bytes(model);
  }

  __device__ EncoderMemory memory(const EncoderModel& model, uint32_t worker) const {
    return EncoderMemory(
        reinterpret_cast<uint8_t*>(&ctx_.state<EncoderState>()) + memoryAt(model, worker), model);
  }

  __device__ void load() const {
    uint64_t end = sizeof(EncoderState) + 4 * (uint64_t(in_.offset) + in_.words.size());
    if (in_.offset < 0 || end > ctx_.stateBytes()) {
      ctx_.fail(NO_MEMORY);
      return;
    }
    for (uint32_t i = ctx_.lane(); i < in_.words.size(); i += ctx_.lanes()) {
      image()[in_.offset + i] = in_.words[i];
    }
  }

  __device__ void encode() {
    EncoderModel model(image());
    uint32_t tokens = in_.tokens.size();
    if (memoryAt(model, ctx_.workers()) > ctx_.stateBytes()) {
      ctx_.fail(NO_MEMORY);
      return;
    }
    bool isWrong = tokens == 0 || tokens > model.maxTokens ||
                   (ctx_.lane() < tokens &&
                    static_cast<uint32_t>(in_.tokens[ctx_.lane()]) >= model.vocabulary);
    if (ctx_.max(isWrong ? 1u : 0u) != 0) {
      ctx_.fail(WRONG_TOKENS);
      return;
    }
    EncoderMemory memory = this->memory(model, ctx_.worker());
    EncoderTeam team(*memory.board);
    unsigned long long call = ctx_.worker() < CALLERS ? 1ull << ctx_.worker() : 0;
    if (ctx_.lane() == 0) {
      team.open(tokens);
      atomicOr(&calls(), call);
    }
    embed(model, memory);
    if (ctx_.lane() == 0) {
      if (call != 0) {
        team.awaitEntries(EncoderModel::SHARDS - 1);
        atomicAnd(&calls(), ~call);
      }
      job() = EncoderJob(model, memory, tokens, 0, team.close(EncoderModel::SHARDS));
    }
    ctx_.sync();
    run();
    pool();
  }

  __device__ void assist() {
    if (ctx_.lane() == 0) {
      uint64_t open = machine::loadDevice(&calls());
      scratch().belongs = 0;
      if (open != 0) {
        // Workers with different numbers begin with others.
        uint32_t from = ctx_.worker() % CALLERS;
        uint64_t turned = open >> from | (from == 0 ? 0 : open << (CALLERS - from));
        uint32_t leader =
            (static_cast<uint32_t>(__ffsll(static_cast<long long>(turned))) - 1 + from) % CALLERS;
        enter(leader);
      }
    }
    ctx_.sync();
    if (machine::peek(scratch().belongs) != 0) {
      run();
    }
    ctx_.sync();
  }

  /** Enters the team of a worker; called by one thread. */
  __device__ void enter(uint32_t leader) const {
    EncoderModel model(image());
    EncoderMemory memory = this->memory(model, leader);
    EncoderTeam team(*memory.board);
    uint32_t member = 0;
    uint32_t members = team.enter(member);
    if (members != 0) {
      job() = EncoderJob(model, memory, team.tokens(), member, members);
      scratch().belongs = 1;
    }
  }

  /** Waits for the others of the team; what they wrote before is seen after. */
  __device__ __noinline__ void meet(bool isLast) const {
    ctx_.sync();
    if (ctx_.lane() == 0 && !job().isAlone()) {
      EncoderTeam team(*job().memory.board);
      team.arrive();
      // In the end the one that has the request waits for the others, they for nobody.
      if (!isLast || job().member == 0) {
        team.await(job().arrivals);
      }
      job().arrivals += job().members;
    }
    ctx_.sync();
  }

  __device__ void run() const {
    meet(false);
#pragma unroll 1
    for (uint32_t layer = 0; layer < job().model.layers; layer++) {
      attention(layer);
      meet(false);
      addParts(job().model.attentionBias(layer));
      meet(false);
      feedForward(layer);
      meet(false);
      addParts(job().model.outputBias(layer));
      meet(layer + 1 == job().model.layers);
    }
  }

  __device__ void embed(const EncoderModel& model, const EncoderMemory& memory) const {
#pragma unroll 1
    for (uint32_t token = warp(); token < in_.tokens.size(); token += WARPS) {
      EncoderRow row(lane());
      row.addHalves(model.embedding(in_.tokens[token]));
      row.add(model.position(token));
      row.normalize(model.epsilon, model.embeddingNorm());
      row.store(memory.states + token * EncoderModel::HIDDEN,
                memory.halves + token * (EncoderModel::HIDDEN / 2));
    }
  }

  /** Adds what the shards have computed to the rows of this worker, and normalizes them. */
  __device__ __noinline__ void addParts(const float* bias) const {
    const EncoderMemory& memory = job().memory;
    constexpr uint32_t HIDDEN = EncoderModel::HIDDEN;
    uint32_t parts = job().isAlone() ? 1 : EncoderModel::SHARDS;
    uint32_t apart = job().tokens * HIDDEN;
#pragma unroll 1
    for (uint32_t token = job().member + warp() * job().members; token < job().tokens;
         token += job().members * WARPS) {
      EncoderRow row(lane());
      const float* part = memory.parts + token * HIDDEN;
#pragma unroll 4
      for (uint32_t shard = 0; shard < parts; shard++) {
        row.add(part);
        part += apart;
      }
      row.add(bias);
      row.add(memory.states + token * HIDDEN);
      row.normalize(job().model.epsilon, EncoderModel::normBehind(bias));
      row.store(memory.states + token * HIDDEN, memory.halves + token * (HIDDEN / 2));
    }
  }

  /** Brings rows into shared memory; those behind the last are of no text. */
  __device__ void stage(uint32_t first, uint32_t count) const {
    constexpr uint32_t UNITS = EncoderModel::HIDDEN / 8;
    EncoderScratch::States rows(scratch().rows);
    uint32_t pairs = count <= TILE_ROWS ? TILE_ROWS / 2 : TILE_ROWS;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < pairs * UNITS; i += RINGKERNEL_MAX_THREADS) {
      uint32_t pair = i / UNITS;
      uint32_t row = min(pair + pair / 8 * 8, count - 1);
      auto from = reinterpret_cast<const uint4*>(job().memory.halves) + first * UNITS + i % UNITS;
      uint4 one = machine::loadStreamed(from + row * UNITS);
      uint4 other = machine::loadStreamed(from + min(row + 8, count - 1) * UNITS);
      auto to = reinterpret_cast<uint4*>(rows.pair(pair)) + i % UNITS * 2;
      to[0] = {one.x, other.x, one.y, other.y};
      to[1] = {one.z, other.z, one.w, other.w};
    }
    ctx_.sync();
  }

  /**
   * Multiplies the rows in shared memory by the columns of shards, a warp for each group.
   * @param dense the matrix of one of them
   * @tparam COLUMNS how many columns it has
   * @param take takes the shard's index, a row, a column, and two neighbouring sums
   */
  template <uint32_t TILES, uint32_t COLUMNS, class Matrix, class Take>
  __device__ __forceinline__ void multiplyShards(uint32_t shards, Matrix dense, Take take) const {
    constexpr uint32_t ALL = COLUMNS / 8;
    constexpr uint32_t STEPS = EncoderModel::HIDDEN / 32;
    TileRows<EncoderScratch::States::STRIDE> rows(scratch().rows, lane());
#pragma unroll 1
    for (uint32_t item = warp(); item < shards * ALL; item += WARPS) {
      uint32_t index = item / ALL;
      uint32_t group = item % ALL;
      Dense columns = dense(index);
      uint32_t column = group * 8 + lane() % 4 * 2;
      float2 bias = machine::loadStreamed(reinterpret_cast<const float2*>(columns.bias + column));
      multiplyTiles<TILES, STEPS>(rows, columns.weights + group * STEPS * machine::WARP + lane())
          .each(lane(), [&](uint32_t row, float low, float high) {
            take(index, row, column, low + bias.x, high + bias.y);
          });
    }
  }

  /** They lie in shared memory if the worker has one shard, and all tokens have room. */
  __device__ HeadRows head(uint32_t index) const {
    if (job().shards == 1 && job().tokens <= EncoderScratch::ROWS) {
      return {scratch().head, EncoderScratch::HEAD_STRIDE};
    }
    constexpr uint32_t STRIDE = EncoderModel::PROJECTED;
    return {job().memory.heads + uint64_t(job().shard(index)) * job().tokens * STRIDE, STRIDE};
  }

  /** Query, key and value of this worker's heads for the rows in shared memory. */
  template <uint32_t TILES>
  __device__ void project(uint32_t layer, uint32_t first, uint32_t count) const {
    multiplyShards<TILES, EncoderModel::PROJECTED>(
        job().shards,
        [&](uint32_t index) { return job().model.projection(layer, job().shard(index)); },
        [&](uint32_t index, uint32_t row, uint32_t column, float low, float high) {
          if (row < count) {
            *reinterpret_cast<float2*>(head(index).row(first + row) + column) = {low, high};
          }
        });
    ctx_.sync();
  }

  /** The heads of this worker attend, and what comes of it is multiplied. */
  __device__ __noinline__ void attention(uint32_t layer) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
#pragma unroll 1
    for (uint32_t first = 0; first < job().tokens; first += ROWS) {
      uint32_t count = min(ROWS, job().tokens - first);
      stage(first, count);
      count <= TILE_ROWS ? project<1>(layer, first, count) : project<2>(layer, first, count);
    }
#pragma unroll 1
    for (uint32_t first = 0; first < job().tokens; first += ROWS) {
      uint32_t count = min(ROWS, job().tokens - first);
      auto matrix = [&](uint32_t index) {
        return job().model.attentionOutput(layer, job().shard(index));
      };
      // They are on their way while the heads attend.
      Columns<EncoderModel::HEAD / 32> columns(matrix(0), warp(), lane());
      attendRows(first, count);
      TileRows<EncoderScratch::States::STRIDE> attended(scratch().rows, lane());
      if (count <= TILE_ROWS) {
        Contribution<1> sums;
        contribute(sums, columns, attended, 0, job().shards, matrix, first, count);
        end(sums, first, count);
      } else {
        Contribution<2> sums;
        contribute(sums, columns, attended, 0, job().shards, matrix, first, count);
        end(sums, first, count);
      }
    }
  }

  __device__ void attendRows(uint32_t first, uint32_t count) const {
    uint32_t shards = job().shards;
    EncoderScratch::States attended(scratch().rows);
#pragma unroll 1
    for (uint32_t item = warp(); item < shards * count; item += WARPS) {
      uint32_t index = item % shards;
      uint32_t row = item / shards;
      uint32_t pair = attend(head(index), first + row, job().tokens, lane());
      if (lane() % 2 == 0) {
        attended.word(row, (index * EncoderModel::HEAD + lane()) / 2) = pair;
      }
    }
    ctx_.sync();
  }

  __device__ __noinline__ void feedForward(uint32_t layer) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
#pragma unroll 1
    for (uint32_t first = 0; first < job().tokens; first += ROWS) {
      uint32_t count = min(ROWS, job().tokens - first);
      stage(first, count);
      count <= TILE_ROWS ? feedForwardRows<1>(layer, first, count)
                         : feedForwardRows<2>(layer, first, count);
    }
  }

  template <uint32_t TILES>
  __device__ void feedForwardRows(uint32_t layer, uint32_t first, uint32_t count) const {
    constexpr uint32_t SHARDS = EncoderScratch::INNER_SHARDS / TILES;
    constexpr uint32_t SLICE = EncoderModel::SLICE;
    Contribution<TILES> sums;
#pragma unroll 1
    for (uint32_t from = 0; from < job().shards; from += SHARDS) {
      uint32_t shards = min(SHARDS, job().shards - from);
      EncoderScratch::Inner<TILES> inner(scratch().inner);
      multiplyShards<TILES, SLICE>(
          shards,
          [&](uint32_t index) { return job().model.inner(layer, job().shard(from + index)); },
          [&](uint32_t index, uint32_t row, uint32_t column, float low, float high) {
            inner.word(row, (index * SLICE + column) / 2) =
                machine::toHalves(gelu(low), gelu(high));
          });
      auto matrix = [&](uint32_t index) { return job().model.output(layer, job().shard(index)); };
      Columns<SLICE / 32> columns(matrix(from), warp(), lane());
      ctx_.sync();
      contribute(sums, columns,
                 TileRows<EncoderScratch::Inner<TILES>::STRIDE>(scratch().inner, lane()), from,
                 shards, matrix, first, count);
      ctx_.sync();
    }
    end(sums, first, count);
  }

  /** What a worker that is alone has added of its shards: a warp's groups of columns. */
  template <uint32_t TILES>
  struct Contribution {
    TileSums<TILES> of[GROUPS];
  };

  /**
   * A warp's groups of columns of a shard.
   * @tparam STEPS how many times 32 elements they have
   */
  template <uint32_t STEPS>
  struct Columns {
    uint4 of[STEPS][GROUPS];

    __device__ __forceinline__ Columns(const uint4* matrix, uint32_t warp, uint32_t lane) {
#pragma unroll
      for (uint32_t step = 0; step < STEPS; step++) {
#pragma unroll
        for (uint32_t i = 0; i < GROUPS; i++) {
          of[step][i] = machine::loadStreamed(
              matrix + ((warp + i * WARPS) * STEPS + step) * machine::WARP + lane);
        }
      }
    }
  };

  /**
   * Multiplies rows that have the columns of some shards, one shard's behind the other's. What
   * comes of a shard is added to that of the shards before it, or left to the one who adds them.
   * @param columns those of the first shard
   * @param matrix the matrix of a shard
   */
  template <uint32_t STEPS, uint32_t TILES, uint32_t STRIDE, class Matrix>
  __device__ __forceinline__ void contribute(Contribution<TILES>& totals, Columns<STEPS> columns,
                                             const TileRows<STRIDE>& rows, uint32_t from,
                                             uint32_t shards, Matrix matrix, uint32_t first,
                                             uint32_t count) const {
    bool isAlone = job().isAlone();
#pragma unroll 1
    for (uint32_t index = 0; index < shards; index++) {
      Contribution<TILES> sums;
#pragma unroll
      for (uint32_t step = 0; step < STEPS; step++) {
#pragma unroll
        for (uint32_t i = 0; i < GROUPS; i++) {
          rows.multiply(index * STEPS + step, columns.of[step][i], sums.of[i], sums.of[i]);
        }
      }
      if (index + 1 < shards) {
        columns = Columns<STEPS>(matrix(from + index + 1), warp(), lane());
      }
      if (isAlone) {
#pragma unroll
        for (uint32_t i = 0; i < GROUPS; i++) {
          totals.of[i].add(sums.of[i]);
        }
      } else {
        leave(sums, job().shard(from + index), first, count);
      }
    }
  }

  /** All shards have been added; what they were added from is free. */
  template <uint32_t TILES>
  __device__ __forceinline__ void end(const Contribution<TILES>& totals, uint32_t first,
                                      uint32_t count) const {
    if (job().isAlone()) {
      leave(totals, 0, first, count);
    }
    ctx_.sync();
  }

  template <uint32_t TILES>
  __device__ __forceinline__ void leave(const Contribution<TILES>& sums, uint32_t shard,
                                        uint32_t first, uint32_t count) const {
    constexpr uint32_t HIDDEN = EncoderModel::HIDDEN;
    float* to =
        job().memory.parts + (shard * job().tokens + first) * HIDDEN + warp() * 8 + lane() % 4 * 2;
#pragma unroll
    for (uint32_t i = 0; i < GROUPS; i++) {
      sums.of[i].each(lane(), [&](uint32_t row, float low, float high) {
        if (row < count) {
          *reinterpret_cast<float2*>(to + row * HIDDEN + i * WARPS * 8) = {low, high};
        }
      });
    }
  }

  /** The mean of all rows, with a length of 1. */
  __device__ void pool() {
    constexpr uint32_t HIDDEN = EncoderModel::HIDDEN;
    constexpr uint32_t QUADS = HIDDEN / 4;
    // As many rows are added at once as there are threads for.
    constexpr uint32_t AT_ONCE = RINGKERNEL_MAX_THREADS / QUADS;
    uint32_t part = threadIdx.x / QUADS;
    auto rows = reinterpret_cast<const float4*>(job().memory.states) + threadIdx.x;
    float4 sum = {0, 0, 0, 0};
    if (part < AT_ONCE) {
#pragma unroll 4
      for (uint32_t token = part; token < job().tokens; token += AT_ONCE) {
        float4 row = machine::loadStreamed(rows + (token - part) * QUADS);
        sum = {sum.x + row.x, sum.y + row.y, sum.z + row.z, sum.w + row.w};
      }
      reinterpret_cast<float4*>(scratch().head)[threadIdx.x] = sum;
    }
    ctx_.sync();
    float mean = 0;
    if (threadIdx.x < HIDDEN) {
#pragma unroll
      for (uint32_t i = 0; i < AT_ONCE; i++) {
        mean += scratch().head[i * HIDDEN + threadIdx.x];
      }
      mean /= static_cast<float>(job().tokens);
    }
    float scale = rsqrtf(fmaxf(ctx_.sum(mean * mean), 1e-24f));
    ringkernel::fill(ctx_, out_.vector, HIDDEN, [&](uint32_t) { return mean * scale; });
  }
};
