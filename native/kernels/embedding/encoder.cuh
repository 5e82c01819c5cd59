// A BERT encoder with mean pooling: the tokens of a text become a vector of length 1.
//
// Weights, and what is multiplied by them, are halves; all else is computed in single precision,
// and added in an order that depends on nothing but the text. So a text has one vector, whether one
// worker encodes it or several.
#pragma once

#define RINGKERNEL_MAX_THREADS 512
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
    } else if (isStale()) {
      if (ctx_.lane() == 0) {
        out_.outcome = EncoderOutcome::STALE;
      }
    } else if (in_.operation == EncoderOperation::LOAD) {
      load();
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

  /**
   * The same for all threads, though another worker may store a stamp meanwhile. Words that are
   * stored whatever is there ask for none.
   */
  __device__ bool isStale() const {
    bool isStale = in_.stamp == 0 ? in_.operation != EncoderOperation::LOAD
                                  : EncoderModel::stampOf(image()) != in_.stamp;
    return ctx_.max(isStale ? 1u : 0u) != 0;
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
    EncoderMemory memory = this->memory(model, ctx_.worker());
    uint32_t tag = nextTag(machine::loadStreamed(&memory.board->tag), model.layers);
    bool isWrong = tokens == 0 || tokens > model.maxTokens ||
                   (ctx_.lane() < tokens &&
                    static_cast<uint32_t>(in_.tokens[ctx_.lane()]) >= model.vocabulary);
    if (ctx_.max(isWrong ? 1u : 0u) != 0) {
      ctx_.fail(WRONG_TOKENS);
      return;
    }
    if (ctx_.lane() < tokens) {
      memory.tokens[ctx_.lane()] = in_.tokens[ctx_.lane()];
    }
    ctx_.sync();
    if (ctx_.lane() == 0) {
      EncoderTeam team(*memory.board);
      unsigned long long call = ctx_.worker() < CALLERS ? 1ull << ctx_.worker() : 0;
      team.open(tokens, tag);
      if (call != 0) {
        atomicOr(&calls(), call);
        team.awaitEntries(EncoderModel::SHARDS - 1);
        atomicAnd(&calls(), ~call);
      }
      job() = EncoderJob(model, memory, tokens, tag, 0, team.close(EncoderModel::SHARDS));
    }
    ctx_.sync();
    run();
    pool(tag + 2 * model.layers);
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
      job() = EncoderJob(model, memory, team.tokens(), team.tag(), member, members);
      scratch().belongs = 1;
    }
  }

  __device__ void run() const {
    uint32_t tag = job().tag;
    embed(tag);
#pragma unroll 1
    for (uint32_t layer = 0; layer < job().model.layers; layer++) {
      attention(layer, tag);
      addParts(job().model.attentionBias(layer), ++tag, false);
      feedForward(layer, tag);
      addParts(job().model.outputBias(layer), ++tag, layer + 1 == job().model.layers);
    }
  }

  /**
   * Makes the rows of this worker.
   * @param begin begins one: it is given the row and its token
   */
  template <class Begin>
  __device__ __forceinline__ void makeRows(Norm norm, uint32_t tag, bool isLast,
                                           Begin begin) const {
    RowScaling scaling = EncoderRow::scaling(norm);
#pragma unroll 1
    for (uint32_t from = 0; job().token(from) < job().tokens; from += EncoderRow::AT_ONCE) {
      uint32_t token = job().token(from + EncoderRow::place());
      bool isRow = token < job().tokens;
      EncoderRow row;
      if (isRow) {
        begin(row, token);
      }
      row.normalize(ctx_, scratch(), job().model.epsilon, scaling);
      if (isRow) {
        // The last halves are awaited by none: they would come while there is another text.
        if (!isLast) {
          row.storeHalves(job().memory.halves + token * (ROW_CHUNKS / 2), tag);
        }
        row.store(job().memory.states + token * ROW_CHUNKS, tag);
      }
    }
  }

  __device__ __noinline__ void embed(uint32_t tag) const {
    const EncoderModel& model = job().model;
    makeRows(model.embeddingNorm(), tag, false, [&](EncoderRow& row, uint32_t token) {
      const uint32_t* words = model.embedding(machine::loadStreamed(job().memory.tokens + token));
      float values[3];
      float position[3];
#pragma unroll
      for (uint32_t i = 0; i < 3; i++) {
        uint32_t element = EncoderRow::element(i);
        float2 pair = machine::ofHalves(machine::loadStreamed(words + element / 2));
        values[i] = element % 2 == 0 ? pair.x : pair.y;
        position[i] = machine::loadStreamed(model.position(token) + element);
      }
      row.add(values);
      row.add(position);
    });
  }

  /** Adds what the shards have computed to the rows of this worker, and normalizes them. */
  __device__ __noinline__ void addParts(const float* bias, uint32_t tag, bool isLast) const {
    float biases[3];
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      biases[i] = machine::loadStreamed(bias + EncoderRow::element(i));
    }
    makeRows(EncoderModel::normBehind(bias), tag, isLast, [&](EncoderRow& row, uint32_t token) {
      const EncoderMemory& memory = job().memory;
      uint32_t at = token * ROW_CHUNKS + EncoderRow::chunk();
      // This thread has stored it itself.
      Chunk state = Chunk::loadDevice(memory.states + at);
      if (job().isAlone()) {
        addParts<1>(row, memory.parts + at, tag);
      } else {
        addParts<EncoderModel::SHARDS>(row, memory.parts + at, tag);
      }
      row.add(biases);
      row.add(state);
    });
  }

  template <uint32_t PARTS>
  __device__ __forceinline__ void addParts(EncoderRow& row, const Chunk* part, uint32_t tag) const {
    uint32_t apart = job().tokens * ROW_CHUNKS;
    Chunk parts[PARTS];
    awaitChunks(parts, tag, [&](uint32_t i) { return part + i * apart; });
#pragma unroll
    for (uint32_t i = 0; i < PARTS; i++) {
      row.add(parts[i]);
    }
  }

  /** Brings rows into shared memory as they come; those behind the last are of no text. */
  template <uint32_t TILES>
  __device__ __forceinline__ void stage(uint32_t first, uint32_t count, uint32_t tag) const {
    constexpr uint32_t CHUNKS = ROW_CHUNKS / 2;
    constexpr uint32_t PAIRS_AT_ONCE = RINGKERNEL_MAX_THREADS / CHUNKS;
    static_assert(PAIRS_AT_ONCE == TILE_ROWS / 2, "the threads have a tile at once");
    EncoderScratch::States rows(scratch().rows);
    uint32_t pair = threadIdx.x / CHUNKS;
    uint32_t chunk = threadIdx.x % CHUNKS;
    const Chunk* from = job().memory.halves + first * CHUNKS + chunk;
    Chunk chunks[2 * TILES];
    awaitChunks(chunks, tag,
                [&](uint32_t i) { return from + min(pair + i * 8, count - 1) * CHUNKS; });
#pragma unroll
    for (uint32_t tile = 0; tile < TILES; tile++) {
      uint32_t one[3];
      uint32_t other[3];
      chunks[2 * tile].unpack(one);
      chunks[2 * tile + 1].unpack(other);
      auto to = reinterpret_cast<uint2*>(rows.pair(pair + tile * PAIRS_AT_ONCE)) + chunk;
#pragma unroll
      for (uint32_t i = 0; i < 3; i++) {
        to[i * CHUNKS] = {one[i], other[i]};
      }
    }
    ctx_.sync();
  }

  /** Eight columns of a shard that a warp multiplies rows by. */
  struct Group {
    static constexpr uint32_t STEPS = EncoderModel::HIDDEN / 32;

    ColumnGroup<STEPS> columns;
    float2 bias;

    /** @param index which of the matrix */
    __device__ __forceinline__ Group(const Dense& dense, uint32_t index)
        : columns(dense.weights + index * STEPS * machine::WARP + lane()),
          bias(machine::loadStreamed(reinterpret_cast<const float2*>(dense.bias + index * 8) +
                                     lane() % 4)) {}
  };

  /**
   * Multiplies rows in shared memory by the columns of shards, a warp for each group.
   * @param dense the matrix of one of them
   * @tparam COLUMNS how many columns it has
   * @param stage brings the rows, while the first columns are on their way
   * @param take takes the shard's index, a row, a column, and two neighbouring sums
   */
  template <uint32_t TILES, uint32_t COLUMNS, class Matrix, class Stage, class Take>
  __device__ __forceinline__ void multiplyShards(uint32_t shards, Matrix dense, Stage stage,
                                                 Take take) const {
    constexpr uint32_t ALL = COLUMNS / 8;
    uint32_t items = shards * ALL;
    uint32_t item = warp();
    // Not if it has one: then the compiler would keep what it loads in local memory.
    uint32_t some = min(item, items - 1);
    Group first(dense(some / ALL), some % ALL);
    stage();
    TileRows<EncoderScratch::States::STRIDE> rows(scratch().rows, lane());
    auto multiply = [&](const Group& group) {
      multiplyTiles<TILES>(rows, group.columns)
          .each(lane(), [&](uint32_t row, float low, float high) {
            take(item / ALL, row, item % ALL * 8 + lane() % 4 * 2, low + group.bias.x,
                 high + group.bias.y);
          });
    };
    if (item < items) {
      multiply(first);
    }
#pragma unroll 1
    for (item += WARPS; item < items; item += WARPS) {
      multiply(Group(dense(item / ALL), item % ALL));
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

  /** Query, key and value of this worker's heads for rows. */
  template <uint32_t TILES>
  __device__ void project(uint32_t layer, uint32_t first, uint32_t count, uint32_t tag) const {
    multiplyShards<TILES, EncoderModel::PROJECTED>(
        job().shards,
        [&](uint32_t index) { return job().model.projection(layer, job().shard(index)); },
        [&] { stage<TILES>(first, count, tag); },
        [&](uint32_t index, uint32_t row, uint32_t column, float low, float high) {
          if (row < count) {
            *reinterpret_cast<float2*>(head(index).row(first + row) + column) = {low, high};
          }
        });
    ctx_.sync();
  }

  /** The heads of this worker attend, and what comes of it is multiplied. */
  __device__ __noinline__ void attention(uint32_t layer, uint32_t tag) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
#pragma unroll 1
    for (uint32_t first = 0; first < job().tokens; first += ROWS) {
      uint32_t count = min(ROWS, job().tokens - first);
      count <= TILE_ROWS ? project<1>(layer, first, count, tag)
                         : project<2>(layer, first, count, tag);
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
        contribute(sums, columns, attended, 0, job().shards, matrix, first, count, tag + 1);
        end(sums, first, count, tag + 1);
      } else {
        Contribution<2> sums;
        contribute(sums, columns, attended, 0, job().shards, matrix, first, count, tag + 1);
        end(sums, first, count, tag + 1);
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

  __device__ __noinline__ void feedForward(uint32_t layer, uint32_t tag) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
#pragma unroll 1
    for (uint32_t first = 0; first < job().tokens; first += ROWS) {
      uint32_t count = min(ROWS, job().tokens - first);
      count <= TILE_ROWS ? feedForwardRows<1>(layer, first, count, tag)
                         : feedForwardRows<2>(layer, first, count, tag);
    }
  }

  template <uint32_t TILES>
  __device__ void feedForwardRows(uint32_t layer, uint32_t first, uint32_t count,
                                  uint32_t tag) const {
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
          [&] {
            if (from == 0) {
              stage<TILES>(first, count, tag);
            }
          },
          [&](uint32_t index, uint32_t row, uint32_t column, float low, float high) {
            inner.word(row, (index * SLICE + column) / 2) =
                machine::toHalves(gelu(low), gelu(high));
          });
      auto matrix = [&](uint32_t index) { return job().model.output(layer, job().shard(index)); };
      Columns<SLICE / 32> columns(matrix(from), warp(), lane());
      ctx_.sync();
      contribute(sums, columns,
                 TileRows<EncoderScratch::Inner<TILES>::STRIDE>(scratch().inner, lane()), from,
                 shards, matrix, first, count, tag + 1);
      ctx_.sync();
    }
    end(sums, first, count, tag + 1);
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
                                             uint32_t count, uint32_t tag) const {
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
        leave(sums, job().shard(from + index), first, count, tag);
      }
    }
  }

  /** All shards have been added; what they were added from is free. */
  template <uint32_t TILES>
  __device__ __forceinline__ void end(const Contribution<TILES>& totals, uint32_t first,
                                      uint32_t count, uint32_t tag) const {
    if (job().isAlone()) {
      leave(totals, 0, first, count, tag);
    }
    ctx_.sync();
  }

  template <uint32_t TILES>
  __device__ __forceinline__ void leave(const Contribution<TILES>& sums, uint32_t shard,
                                        uint32_t first, uint32_t count, uint32_t tag) const {
    static_assert(GROUPS == 3 && WARPS * 8 == ROW_CHUNKS, "a lane has what makes chunks");
    Chunk* to = job().memory.parts + (shard * job().tokens + first) * ROW_CHUNKS + warp() * 8 +
                lane() % 4 * 2;
#pragma unroll
    for (uint32_t i = 0; i < 4 * TILES; i++) {
      uint32_t row = i / 2 * 8 + lane() / 4;
      if (row < count) {
        auto sum = [&](uint32_t group) { return sums.of[group].of[i / 4][i % 4]; };
        chunkOf(sum(0), sum(1), sum(2), tag).storeDevice(to + row * ROW_CHUNKS + i % 2);
      }
    }
  }

  /** The mean of all rows, with a length of 1. */
  __device__ void pool(uint32_t tag) {
    constexpr uint32_t HIDDEN = EncoderModel::HIDDEN;
    constexpr uint32_t AT_ONCE = EncoderRow::AT_ONCE;
    constexpr uint32_t ROUNDS = 4;
    uint32_t tokens = job().tokens;
    const Chunk* states = job().memory.states + EncoderRow::chunk();
    float sums[3] = {};
#pragma unroll 1
    for (uint32_t from = EncoderRow::place(); from < tokens; from += ROUNDS * AT_ONCE) {
      Chunk chunks[ROUNDS];
      awaitChunks(chunks, tag, [&](uint32_t i) {
        return states + min(from + i * AT_ONCE, tokens - 1) * ROW_CHUNKS;
      });
#pragma unroll
      for (uint32_t i = 0; i < ROUNDS; i++) {
        if (from + i * AT_ONCE < tokens) {
          addChunk(sums, chunks[i]);
        }
      }
    }
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      scratch().head[EncoderRow::place() * HIDDEN + EncoderRow::element(i)] = sums[i];
    }
    ctx_.sync();
    float mean = 0;
    if (threadIdx.x < HIDDEN) {
#pragma unroll
      for (uint32_t i = 0; i < AT_ONCE; i++) {
        mean += scratch().head[i * HIDDEN + threadIdx.x];
      }
      mean /= static_cast<float>(tokens);
    }
    float scale = rsqrtf(fmaxf(ctx_.sum(mean * mean), 1e-24f));
    ringkernel::fill(ctx_, out_.vector, HIDDEN, [&](uint32_t) { return mean * scale; });
  }
};
