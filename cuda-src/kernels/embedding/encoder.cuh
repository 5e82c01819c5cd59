// A BERT encoder with mean pooling: the tokens of a text become a vector of length 1.
//
// Weights, and what is multiplied by them, are halves; all else is computed in single precision, and
// added in an order that depends on nothing but the text. So a text has one vector, whether one
// worker encodes it or several.
#pragma once

#define RINGKERNEL_MAX_THREADS 512
#include <ringkernel/ring_kernel.cuh>

#include "encoder_messages.cuh"
#include "encoder_model.cuh"
#include "encoder_team.cuh"
#include "half_tiles.cuh"

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

/** What a worker shares. It is a block of its own. */
struct EncoderScratch {
  static constexpr uint32_t ROWS = 32;
  /** Query, key and value of a head, so far apart that eight lanes meet no bank twice. */
  static constexpr uint32_t HEAD_STRIDE = 3 * EncoderModel::HEAD + 4;
  /** How many shards' parts of the inner layer there is room for, of one tile and of two. */
  static constexpr uint32_t INNER_SHARDS = 4;
  static constexpr uint32_t INNER_WORDS = ROWS * HalfRows::stride(INNER_SHARDS / 2 * EncoderModel::MAX_SLICE);

  static_assert(HalfRows::TILE * HalfRows::stride(INNER_SHARDS * EncoderModel::MAX_SLICE) <= INNER_WORDS);

  /** What is multiplied: the states of tokens, or what heads have attended to. */
  alignas(16) uint32_t rows[ROWS * HalfRows::stride(EncoderModel::MAX_HIDDEN)];
  union {
    alignas(16) float head[ROWS * HEAD_STRIDE];
    uint32_t inner[INNER_WORDS];
  };
  uint32_t leader;
  uint32_t member;
  uint32_t members;

  /** Not of an unnamed namespace, whose name in PTX depends on the folder of the build. */
  __device__ static EncoderScratch& ofBlock() {
    __shared__ EncoderScratch scratch;
    return scratch;
  }
};

/** Where a team keeps what its workers exchange. */
struct EncoderMemory {
  TeamBoard* board;
  /** A row for each token, in single precision and as halves. */
  float* states;
  uint32_t* halves;
  /** What each shard adds to each row. */
  float* parts;
  /** Query, key and value of a text that is too long for shared memory. */
  float* heads;

  __device__ EncoderMemory(uint8_t* at, const EncoderModel& model) {
    uint64_t elements = uint64_t(model.maxTokens) * model.hidden;
    board = reinterpret_cast<TeamBoard*>(at);
    states = reinterpret_cast<float*>(at + sizeof(TeamBoard));
    parts = states + elements;
    heads = parts + model.shards * elements;
    halves = reinterpret_cast<uint32_t*>(heads + 3 * uint64_t(model.maxTokens) * model.shards * EncoderModel::HEAD);
  }

  __device__ static uint64_t bytes(const EncoderModel& model) {
    uint64_t elements = uint64_t(model.maxTokens) * model.hidden;
    uint64_t heads = uint64_t(model.maxTokens) * model.shards * EncoderModel::HEAD;
    uint64_t bytes = sizeof(TeamBoard) + 4 * (elements * (1 + model.shards) + 3 * heads) + 2 * elements;
    return (bytes + 127) / 128 * 128;
  }
};

class Encoder {
 public:
  __device__ Encoder(Context& ctx, const EncoderRequest& in, EncoderResponse& out)
      : ctx_(ctx), in_(in), out_(out), scratch_(EncoderScratch::ofBlock()) {}

  __device__ void handle() {
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
  static constexpr uint32_t GROUPS = EncoderModel::MAX_HIDDEN / 8 / WARPS;
  /** Loads of four elements that a lane has of a row. */
  static constexpr uint32_t QUADS = EncoderModel::MAX_HIDDEN / 4 / machine::WARP;
  /** Loads of matrices that a lane has under way. */
  static constexpr uint32_t LOADS = 12;
  /** As many workers have a bit by which they call. */
  static constexpr uint32_t CALLERS = 64;

  Context& ctx_;
  const EncoderRequest& in_;
  EncoderResponse& out_;
  EncoderScratch& scratch_;
  /** Of the model. */
  uint32_t hidden_ = 0;

  __device__ uint32_t lane() const { return ctx_.lane() % machine::WARP; }
  __device__ uint32_t warp() const { return ctx_.lane() / machine::WARP; }

  __device__ unsigned long long& calls() const { return ctx_.state<EncoderState>().calls; }

  __device__ uint32_t* image() const {
    return reinterpret_cast<uint32_t*>(&ctx_.state<EncoderState>() + 1);
  }

  /** What a worker computes in if it has the request. */
  __device__ EncoderMemory memory(const EncoderModel& model, uint32_t worker) const {
    return EncoderMemory(workersBegin(model) + worker * EncoderMemory::bytes(model), model);
  }

  __device__ uint8_t* workersBegin(const EncoderModel& model) const {
    return reinterpret_cast<uint8_t*>(image()) + (4 * model.length() + 127) / 128 * 128;
  }

  __device__ void load() {
    auto end = reinterpret_cast<const uint8_t*>(image() + in_.offset + in_.words.size());
    if (in_.offset < 0 ||
        end > reinterpret_cast<const uint8_t*>(&ctx_.state<EncoderState>()) + ctx_.stateBytes()) {
      ctx_.fail(NO_MEMORY);
      return;
    }
    for (uint32_t i = ctx_.lane(); i < in_.words.size(); i += ctx_.lanes()) {
      image()[in_.offset + i] = in_.words[i];
    }
  }

  __device__ __noinline__ void encode() {
    EncoderModel model(image());
    uint32_t tokens = in_.tokens.size();
    uint64_t end = workersBegin(model) - reinterpret_cast<uint8_t*>(&ctx_.state<EncoderState>()) +
                   ctx_.workers() * EncoderMemory::bytes(model);
    if (end > ctx_.stateBytes()) {
      ctx_.fail(NO_MEMORY);
      return;
    }
    bool isWrong = tokens == 0 || tokens > model.maxTokens;
    for (uint32_t i = ctx_.lane(); i < tokens; i += ctx_.lanes()) {
      isWrong |= static_cast<uint32_t>(in_.tokens[i]) >= model.vocabulary;
    }
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
    embed(model, memory, tokens);
    if (ctx_.lane() == 0) {
      if (call != 0) {
        team.awaitEntries(model.shards - 1);
        atomicAnd(&calls(), ~call);
      }
      scratch_.members = team.close(model.shards);
    }
    ctx_.sync();
    hidden_ = model.hidden;
    TeamPart part{model, memory, team, tokens, 0, machine::peek(scratch_.members), 0};
    run(part);
    pool(part);
  }

  __device__ __noinline__ void assist() {
    if (ctx_.lane() == 0) {
      scratch_.members = 0;
      uint64_t open = machine::loadDevice(&calls());
      if (open != 0) {
        // Workers with different numbers begin with others.
        uint32_t from = ctx_.worker() % CALLERS;
        uint64_t turned = open >> from | (from == 0 ? 0 : open << (CALLERS - from));
        uint32_t leader = (static_cast<uint32_t>(__ffsll(static_cast<long long>(turned))) - 1 + from) % CALLERS;
        EncoderModel model(image());
        uint32_t member = 0;
        scratch_.members = EncoderTeam(*memory(model, leader).board).enter(member);
        scratch_.leader = leader;
        scratch_.member = member;
      }
    }
    ctx_.sync();
    uint32_t members = machine::peek(scratch_.members);
    if (members != 0) {
      EncoderModel model(image());
      EncoderMemory memory = this->memory(model, machine::peek(scratch_.leader));
      EncoderTeam team(*memory.board);
      hidden_ = model.hidden;
      TeamPart part{model, memory, team, team.tokens(), machine::peek(scratch_.member), members, 0};
      run(part);
    }
    ctx_.sync();
  }

  /** What a worker does for a text. */
  struct TeamPart {
    const EncoderModel& model;
    EncoderMemory memory;
    EncoderTeam team;
    uint32_t tokens;
    uint32_t member;
    uint32_t members;
    uint32_t meetings;

    __device__ bool isAlone() const { return members == 1; }

    /** How many shards are this worker's, and which they are. */
    __device__ uint32_t shards() const { return (model.shards - member + members - 1) / members; }
    __device__ uint32_t shard(uint32_t index) const { return member + index * members; }
  };

  /** Waits for the others; what they wrote before is seen after. */
  __device__ void meet(TeamPart& part) const {
    ctx_.sync();
    if (part.isAlone()) {
      return;
    }
    part.meetings++;
    if (ctx_.lane() == 0) {
      part.team.arrive();
      part.team.await(part.meetings * part.members);
    }
    ctx_.sync();
  }

  /** The last meeting: the one that has the request waits for the others, they for nobody. */
  __device__ void part(TeamPart& part) const {
    ctx_.sync();
    if (part.isAlone()) {
      return;
    }
    part.meetings++;
    if (ctx_.lane() == 0) {
      part.team.arrive();
      if (part.member == 0) {
        part.team.await(part.meetings * part.members);
      }
    }
    ctx_.sync();
  }

  __device__ void run(TeamPart& part) const {
    meet(part);
    for (uint32_t layer = 0; layer < part.model.layers; layer++) {
      attention(part, layer);
      meet(part);
      addParts(part, part.model.attentionBias(layer), part.model.attentionNorm(layer));
      meet(part);
      feedForward(part, layer);
      meet(part);
      addParts(part, part.model.outputBias(layer), part.model.outputNorm(layer));
      if (layer + 1 < part.model.layers) {
        meet(part);
      }
    }
    this->part(part);
  }

  // ---- rows, a warp for each

  __device__ static float warpSum(float value) {
#pragma unroll
    for (uint32_t distance = machine::WARP / 2; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(machine::ALL_LANES, value, distance);
    }
    return value;
  }

  __device__ static float warpMax(float value) {
#pragma unroll
    for (uint32_t distance = machine::WARP / 2; distance > 0; distance /= 2) {
      value = fmaxf(value, __shfl_xor_sync(machine::ALL_LANES, value, distance));
    }
    return value;
  }

  __device__ static void add(float4& sum, float4 other) {
    sum.x += other.x;
    sum.y += other.y;
    sum.z += other.z;
    sum.w += other.w;
  }

  __device__ static float4 quad(const float* row, uint32_t index) {
    return machine::loadStreamed(reinterpret_cast<const float4*>(row) + index);
  }

  /** Normalizes a row, and stores it; called by a warp. */
  __device__ void store(const EncoderModel& model, const EncoderMemory& memory, uint32_t row,
                        float4 (&values)[QUADS], Norm norm) const {
    uint32_t quads = model.hidden / 4;
    float sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < QUADS; i++) {
      sum += (values[i].x + values[i].y) + (values[i].z + values[i].w);
    }
    float mean = warpSum(sum) / static_cast<float>(model.hidden);
    float squares = 0;
#pragma unroll
    for (uint32_t i = 0; i < QUADS; i++) {
      if (i * machine::WARP + lane() < quads) {
        values[i] = {values[i].x - mean, values[i].y - mean, values[i].z - mean, values[i].w - mean};
        squares += (values[i].x * values[i].x + values[i].y * values[i].y) +
                   (values[i].z * values[i].z + values[i].w * values[i].w);
      }
    }
    float scale = 1 / sqrtf(warpSum(squares) / static_cast<float>(model.hidden) + model.epsilon);
    auto states = reinterpret_cast<float4*>(memory.states + row * model.hidden);
    auto halves = reinterpret_cast<uint2*>(memory.halves + row * (model.hidden / 2));
#pragma unroll
    for (uint32_t i = 0; i < QUADS; i++) {
      uint32_t at = i * machine::WARP + lane();
      if (at < quads) {
        float4 weight = quad(norm.weight, at);
        float4 bias = quad(norm.bias, at);
        float4 value = {fmaf(values[i].x * scale, weight.x, bias.x), fmaf(values[i].y * scale, weight.y, bias.y),
                        fmaf(values[i].z * scale, weight.z, bias.z), fmaf(values[i].w * scale, weight.w, bias.w)};
        states[at] = value;
        halves[at] = {machine::toHalves(value.x, value.y), machine::toHalves(value.z, value.w)};
      }
    }
  }

  __device__ __noinline__ void embed(const EncoderModel& model, const EncoderMemory& memory, uint32_t tokens) const {
    uint32_t quads = model.hidden / 4;
    for (uint32_t row = warp(); row < tokens; row += WARPS) {
      auto word = reinterpret_cast<const uint2*>(model.embedding(in_.tokens[row]));
      const float* position = model.position(row);
      float4 values[QUADS] = {};
#pragma unroll
      for (uint32_t i = 0; i < QUADS; i++) {
        uint32_t at = i * machine::WARP + lane();
        if (at < quads) {
          uint2 halves = machine::loadStreamed(word + at);
          float2 low = machine::ofHalves(halves.x);
          float2 high = machine::ofHalves(halves.y);
          values[i] = {low.x, low.y, high.x, high.y};
          add(values[i], quad(position, at));
        }
      }
      store(model, memory, row, values, model.embeddingNorm());
    }
  }

  /** Adds what the shards have computed to the rows of this worker, and normalizes them. */
  __device__ __noinline__ void addParts(const TeamPart& part, const float* bias, Norm norm) const {
    const EncoderModel& model = part.model;
    uint32_t quads = model.hidden / 4;
    uint32_t parts = part.isAlone() ? 1 : model.shards;
    for (uint32_t row = part.member + warp() * part.members; row < part.tokens; row += part.members * WARPS) {
      float4 values[QUADS] = {};
      const float* from = part.memory.parts + row * model.hidden;
#pragma unroll 4
      for (uint32_t shard = 0; shard < parts; shard++) {
#pragma unroll
        for (uint32_t i = 0; i < QUADS; i++) {
          uint32_t at = i * machine::WARP + lane();
          if (at < quads) {
            add(values[i], quad(from + uint64_t(shard) * part.tokens * model.hidden, at));
          }
        }
      }
#pragma unroll
      for (uint32_t i = 0; i < QUADS; i++) {
        uint32_t at = i * machine::WARP + lane();
        if (at < quads) {
          add(values[i], quad(bias, at));
          add(values[i], quad(part.memory.states + row * model.hidden, at));
        }
      }
      store(model, part.memory, row, values, norm);
    }
  }

  // ---- matrices, a warp for each group of eight columns

  /** Brings rows into shared memory. */
  __device__ void stage(const TeamPart& part, uint32_t first, uint32_t count) const {
    uint32_t units = part.model.hidden / 8;
    HalfRows rows(scratch_.rows, part.model.hidden);
    auto from = reinterpret_cast<const uint4*>(part.memory.halves + first * (part.model.hidden / 2));
    for (uint32_t i = ctx_.lane(); i < count * units; i += ctx_.lanes()) {
      reinterpret_cast<uint4*>(rows.row(i / units))[i % units] = machine::loadStreamed(from + i);
    }
    ctx_.sync();
  }

  /**
   * Multiplies the rows in shared memory by the columns of shards.
   * @param dense the matrix of a shard
   * @param groups how many groups of columns it has, an even number
   * @param take takes the shard's index, a row, a column and two sums
   */
  template <uint32_t TILES, uint32_t GROUPS, class Matrix, class Take>
  __device__ __forceinline__ void multiplyShards(uint32_t shards, uint32_t groups, Matrix dense, Take take) const {
    uint32_t steps = hidden_ / 32;
    HalfRows rows(scratch_.rows, hidden_);
    for (uint32_t item = warp() * GROUPS; item < shards * groups; item += WARPS * GROUPS) {
      uint32_t index = item / groups;
      uint32_t group = item % groups;
      Dense columns = dense(index);
      TileSums<TILES> sums[GROUPS];
      multiplyTiles<TILES, GROUPS, LOADS / GROUPS>(rows, columns.weights + group * steps * machine::WARP, steps, lane(), sums);
#pragma unroll
      for (uint32_t i = 0; i < GROUPS; i++) {
        uint32_t column = (group + i) * 8 + lane() % 4 * 2;
        float low = columns.bias[column];
        float high = columns.bias[column + 1];
        sums[i].each(lane(), [&](uint32_t row, float one, float other) { take(index, row, column, one + low, other + high); });
      }
    }
  }

  /** Query, key and value of this worker's heads for the rows in shared memory. */
  template <uint32_t TILES, uint32_t GROUPS>
  __device__ __noinline__ void project(const TeamPart& part, uint32_t layer, uint32_t first, uint32_t count) const {
    constexpr uint32_t HEAD = EncoderModel::HEAD;
    multiplyShards<TILES, GROUPS>(
        part.shards(), 3 * HEAD / 8, [&](uint32_t index) { return part.model.projection(layer, part.shard(index)); },
        [&](uint32_t index, uint32_t row, uint32_t column, float low, float high) {
          if (row < count) {
            Heads heads = this->heads(part, index);
            *reinterpret_cast<float2*>(heads.at + (first + row) * heads.stride + column) = {low, high};
          }
        });
  }

  /** Attends to all tokens for one row; called by a warp. */
  __device__ void attend(const float* query, const float* head, uint32_t stride, uint32_t tokens,
                         uint32_t* attended) const {
    constexpr uint32_t HEAD = EncoderModel::HEAD;
    const float scale = 1 / sqrtf(static_cast<float>(HEAD));
    float greatest = -INFINITY;
    float weights = 0;
    float sum = 0;
    for (uint32_t from = 0; from < tokens; from += machine::WARP) {
      uint32_t count = min(machine::WARP, tokens - from);
      float score = -INFINITY;
      if (lane() < count) {
        const float* key = head + (from + lane()) * stride + HEAD;
        float products = 0;
#pragma unroll
        for (uint32_t i = 0; i < HEAD / 4; i++) {
          float4 one = reinterpret_cast<const float4*>(query)[i];
          float4 other = reinterpret_cast<const float4*>(key)[i];
          products = fmaf(one.x, other.x, products);
          products = fmaf(one.y, other.y, products);
          products = fmaf(one.z, other.z, products);
          products = fmaf(one.w, other.w, products);
        }
        score = products * scale;
      }
      float before = greatest;
      greatest = fmaxf(greatest, warpMax(score));
      float weight = lane() < count ? expf(score - greatest) : 0;
      float shrink = expf(before - greatest);
      weights = fmaf(weights, shrink, warpSum(weight));
      sum *= shrink;
      const float* value = head + from * stride + 2 * HEAD + lane();
#pragma unroll 8
      for (uint32_t i = 0; i < count; i++) {
        sum = fmaf(__shfl_sync(machine::ALL_LANES, weight, i), value[i * stride], sum);
      }
    }
    float result = sum / weights;
    float next = __shfl_sync(machine::ALL_LANES, result, lane() | 1);
    if (lane() % 2 == 0) {
      attended[lane() / 2] = machine::toHalves(result, next);
    }
  }

  /**
   * Multiplies rows that have the columns of some shards, one shard's behind the other's, and adds
   * the products to those of the shards before; or leaves those of each shard to the one who adds
   * them.
   * @param matrix the matrix of a shard
   * @param steps how many times 32 columns a shard has
   */
  template <uint32_t TILES, class Matrix>
  __device__ __forceinline__ void contribute(const TeamPart& part, const HalfRows& rows, uint32_t firstShard,
                                             uint32_t shards, Matrix matrix, uint32_t steps, uint32_t first,
                                             uint32_t count, TileSums<TILES> (&totals)[GROUPS]) const {
    uint32_t groups = hidden_ / 8;
#pragma unroll 1
    for (uint32_t index = 0; index < shards; index++) {
      const uint4* columns = matrix(firstShard + index);
      TileSums<TILES> sums[GROUPS];
#pragma unroll 1
      for (uint32_t from = 0; from < steps; from += LOADS / GROUPS) {
        uint4 column[LOADS / GROUPS][GROUPS];
#pragma unroll
        for (uint32_t step = 0; step < LOADS / GROUPS; step++) {
#pragma unroll
          for (uint32_t i = 0; i < GROUPS; i++) {
            uint32_t group = warp() + i * WARPS;
            if (from + step < steps && group < groups) {
              column[step][i] = machine::loadStreamed(columns + (group * steps + from + step) * machine::WARP + lane());
            }
          }
        }
#pragma unroll
        for (uint32_t step = 0; step < LOADS / GROUPS; step++) {
          if (from + step < steps) {
#pragma unroll
            for (uint32_t tile = 0; tile < TILES; tile++) {
              uint32_t at = index * steps + from + step;
              uint4 one = rows.load(tile * HalfRows::TILE + lane() / 4, at, lane());
              uint4 other = rows.load(tile * HalfRows::TILE + lane() / 4 + 8, at, lane());
#pragma unroll
              for (uint32_t i = 0; i < GROUPS; i++) {
                uint4 word = column[step][i];
                machine::multiplyHalves(sums[i].of[tile], one.x, other.x, word.x);
                machine::multiplyHalves(sums[i].of[tile], one.y, other.y, word.y);
                machine::multiplyHalves(sums[i].of[tile], one.z, other.z, word.z);
                machine::multiplyHalves(sums[i].of[tile], one.w, other.w, word.w);
              }
            }
          }
        }
      }
      if (part.isAlone()) {
#pragma unroll
        for (uint32_t i = 0; i < GROUPS; i++) {
          totals[i].add(sums[i]);
        }
      } else {
        leave(part, sums, part.shard(firstShard + index), first, count);
      }
    }
  }

  template <uint32_t TILES>
  __device__ __forceinline__ void leave(const TeamPart& part, const TileSums<TILES> (&sums)[GROUPS], uint32_t shard, uint32_t first,
                        uint32_t count) const {
#pragma unroll
    for (uint32_t i = 0; i < GROUPS; i++) {
      uint32_t group = warp() + i * WARPS;
      if (group < hidden_ / 8) {
        float* to = part.memory.parts + (uint64_t(shard) * part.tokens + first) * hidden_ + group * 8 + lane() % 4 * 2;
        sums[i].each(lane(), [&](uint32_t row, float low, float high) {
          if (row < count) {
            *reinterpret_cast<float2*>(to + row * hidden_) = {low, high};
          }
        });
      }
    }
  }

  /** Query, key and value of a head, a row for each token. */
  struct Heads {
    float* at;
    uint32_t stride;
  };

  /** They lie in shared memory if there is one, and all tokens have room. */
  __device__ Heads heads(const TeamPart& part, uint32_t index) const {
    if (part.shards() == 1 && part.tokens <= EncoderScratch::ROWS) {
      return {scratch_.head, EncoderScratch::HEAD_STRIDE};
    }
    constexpr uint32_t STRIDE = 3 * EncoderModel::HEAD;
    return {part.memory.heads + uint64_t(part.shard(index)) * part.tokens * STRIDE, STRIDE};
  }

  /** The heads of this worker attend, and what comes of it is multiplied. */
  __device__ __noinline__ void attention(TeamPart& part, uint32_t layer) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
    for (uint32_t first = 0; first < part.tokens; first += ROWS) {
      uint32_t count = min(ROWS, part.tokens - first);
      stage(part, first, count);
      bool isOne = count <= HalfRows::TILE;
      if (part.shards() == 1) {
        isOne ? project<1, 1>(part, layer, first, count) : project<2, 1>(part, layer, first, count);
      } else {
        isOne ? project<1, 2>(part, layer, first, count) : project<2, 2>(part, layer, first, count);
      }
      ctx_.sync();
    }
    for (uint32_t first = 0; first < part.tokens; first += ROWS) {
      uint32_t count = min(ROWS, part.tokens - first);
      count <= HalfRows::TILE ? attendRows<1>(part, layer, first, count) : attendRows<2>(part, layer, first, count);
    }
  }

  template <uint32_t TILES>
  __device__ __noinline__ void attendRows(TeamPart& part, uint32_t layer, uint32_t first, uint32_t count) const {
    uint32_t shards = part.shards();
    HalfRows attended(scratch_.rows, shards * EncoderModel::HEAD);
    for (uint32_t item = warp(); item < shards * count; item += WARPS) {
      uint32_t index = item % shards;
      uint32_t row = item / shards;
      Heads heads = this->heads(part, index);
      attend(heads.at + (first + row) * heads.stride, heads.at, heads.stride, part.tokens,
             attended.row(row) + index * (EncoderModel::HEAD / 2));
    }
    ctx_.sync();
    TileSums<TILES> totals[GROUPS];
    contribute<TILES>(
        part, attended, 0, shards,
        [&](uint32_t index) { return part.model.attentionOutput(layer, part.shard(index)); },
        EncoderModel::HEAD / 32, first, count, totals);
    if (part.isAlone()) {
      leave(part, totals, 0, first, count);
    }
    // All have read the rows before others take their place.
    ctx_.sync();
  }

  __device__ __noinline__ void feedForward(TeamPart& part, uint32_t layer) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
    for (uint32_t first = 0; first < part.tokens; first += ROWS) {
      uint32_t count = min(ROWS, part.tokens - first);
      stage(part, first, count);
      bool isOne = count <= HalfRows::TILE;
      if (part.shards() == 1) {
        isOne ? feedForwardRows<1, 1>(part, layer, first, count) : feedForwardRows<2, 1>(part, layer, first, count);
      } else {
        isOne ? feedForwardRows<1, 2>(part, layer, first, count) : feedForwardRows<2, 2>(part, layer, first, count);
      }
    }
  }

  template <uint32_t TILES, uint32_t AT_ONCE>
  __device__ __noinline__ void feedForwardRows(TeamPart& part, uint32_t layer, uint32_t first, uint32_t count) const {
    constexpr uint32_t SHARDS = AT_ONCE == 1 ? 1 : EncoderScratch::INNER_SHARDS / TILES;
    const EncoderModel& model = part.model;
    uint32_t slice = model.slice;
    TileSums<TILES> totals[GROUPS];
    for (uint32_t from = 0; from < part.shards(); from += SHARDS) {
      uint32_t shards = min(SHARDS, part.shards() - from);
      HalfRows inner(scratch_.inner, shards * slice);
      multiplyShards<TILES, AT_ONCE>(
          shards, slice / 8, [&](uint32_t index) { return model.inner(layer, part.shard(from + index)); },
          [&](uint32_t index, uint32_t row, uint32_t column, float low, float high) {
            inner.row(row)[(index * slice + column) / 2] = machine::toHalves(gelu(low), gelu(high));
          });
      ctx_.sync();
      contribute<TILES>(
          part, inner, from, shards, [&](uint32_t index) { return model.output(layer, part.shard(index)); },
          slice / 32, first, count, totals);
      ctx_.sync();
    }
    if (part.isAlone()) {
      leave(part, totals, 0, first, count);
    }
  }

  /** Hendrycks and Gimpel, Gaussian Error Linear Units, arXiv 1606.08415: x P(X <= x). */
  __device__ static float gelu(float x) {
    return 0.5f * x * (1 + erff(x * 0.70710678f));
  }

  /** The mean of all rows, with a length of 1. */
  __device__ __noinline__ void pool(const TeamPart& part) {
    uint32_t hidden = part.model.hidden;
    float sum = 0;
    if (ctx_.lane() < hidden) {
#pragma unroll 8
      for (uint32_t row = 0; row < part.tokens; row++) {
        sum += machine::loadStreamed(part.memory.states + row * hidden + ctx_.lane());
      }
    }
    float mean = sum / static_cast<float>(part.tokens);
    float length = fmaxf(sqrtf(ctx_.sum(mean * mean)), 1e-12f);
    ringkernel::fill(ctx_, out_.vector, hidden, [&](uint32_t) { return mean / length; });
  }
};
