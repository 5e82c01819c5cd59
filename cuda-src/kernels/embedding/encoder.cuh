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

  uint32_t rows[ROWS * HalfRows::stride(EncoderModel::MAX_HIDDEN)];
  union {
    alignas(16) float head[ROWS * HEAD_STRIDE];
    uint32_t inner[ROWS * HalfRows::stride(EncoderModel::MAX_SLICE)];
  };
  alignas(16) uint32_t attended[ROWS * HalfRows::stride(EncoderModel::HEAD)];
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
  /** As many workers have a bit by which they call. */
  static constexpr uint32_t CALLERS = 64;

  Context& ctx_;
  const EncoderRequest& in_;
  EncoderResponse& out_;
  EncoderScratch& scratch_;

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
      atomicAnd(&calls(), ~call);
      scratch_.members = team.close(model.shards);
    }
    ctx_.sync();
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

  /** Query, key and value of a head for the rows that are staged. */
  template <uint32_t TILES>
  __device__ void project(const TeamPart& part, uint32_t layer, uint32_t shard, uint32_t count, float* head,
                          uint32_t stride) const {
    const EncoderModel& model = part.model;
    Dense dense = model.projection(layer, shard);
    HalfRows rows(scratch_.rows, model.hidden);
    uint32_t steps = model.hidden / 32;
    for (uint32_t group = warp(); group < 3 * EncoderModel::HEAD / 8; group += WARPS) {
      uint32_t column = group * 8 + lane() % 4 * 2;
      float first = dense.bias[column];
      float second = dense.bias[column + 1];
      multiplyTiles<TILES>(rows, dense.weights + group * steps * machine::WARP, steps, lane())
          .each(lane(), [&](uint32_t row, float low, float high) {
            if (row < count) {
              *reinterpret_cast<float2*>(head + row * stride + column) = {low + first, high + second};
            }
          });
    }
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
   * Multiplies rows that have as many columns as a shard, and adds the products to those of the
   * shards before, or leaves them to the one who adds them.
   */
  template <uint32_t TILES>
  __device__ void contribute(const TeamPart& part, const HalfRows& rows, const uint4* columns, uint32_t steps,
                             uint32_t shard, uint32_t first, uint32_t count,
                             TileSums<TILES> (&totals)[GROUPS]) const {
    uint32_t groups = part.model.hidden / 8;
#pragma unroll
    for (uint32_t i = 0; i < GROUPS; i++) {
      uint32_t group = warp() + i * WARPS;
      if (group < groups) {
        TileSums<TILES> sums = multiplyTiles<TILES>(rows, columns + group * steps * machine::WARP, steps, lane());
        if (part.isAlone()) {
          totals[i].add(sums);
        } else {
          leave(part, sums, group, shard, first, count);
        }
      }
    }
  }

  template <uint32_t TILES>
  __device__ void leave(const TeamPart& part, const TileSums<TILES>& sums, uint32_t group, uint32_t shard,
                        uint32_t first, uint32_t count) const {
    float* to = part.memory.parts + (uint64_t(shard) * part.tokens + first) * part.model.hidden + group * 8 + lane() % 4 * 2;
    sums.each(lane(), [&](uint32_t row, float low, float high) {
      if (row < count) {
        *reinterpret_cast<float2*>(to + row * part.model.hidden) = {low, high};
      }
    });
  }

  template <uint32_t TILES>
  __device__ void leaveTotals(const TeamPart& part, const TileSums<TILES> (&totals)[GROUPS], uint32_t first,
                              uint32_t count) const {
#pragma unroll
    for (uint32_t i = 0; i < GROUPS; i++) {
      uint32_t group = warp() + i * WARPS;
      if (part.isAlone() && group < part.model.hidden / 8) {
        leave(part, totals[i], group, 0, first, count);
      }
    }
  }

  __device__ float* head(const TeamPart& part, uint32_t shard) const {
    return part.memory.heads + uint64_t(shard) * part.tokens * 3 * EncoderModel::HEAD;
  }

  /** Each shard attends by its head, and multiplies what comes of it. */
  __device__ __noinline__ void attention(TeamPart& part, uint32_t layer) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
    bool fits = part.tokens <= ROWS;
    if (!fits) {
      for (uint32_t first = 0; first < part.tokens; first += ROWS) {
        uint32_t count = min(ROWS, part.tokens - first);
        stage(part, first, count);
        for (uint32_t shard = part.member; shard < part.model.shards; shard += part.members) {
          constexpr uint32_t STRIDE = 3 * EncoderModel::HEAD;
          project<2>(part, layer, shard, count, head(part, shard) + first * STRIDE, STRIDE);
        }
        ctx_.sync();
      }
    } else {
      stage(part, 0, part.tokens);
    }
    for (uint32_t first = 0; first < part.tokens; first += ROWS) {
      uint32_t count = min(ROWS, part.tokens - first);
      count <= HalfRows::TILE ? attendRows<1>(part, layer, first, count, fits)
                              : attendRows<2>(part, layer, first, count, fits);
    }
  }

  template <uint32_t TILES>
  __device__ __noinline__ void attendRows(TeamPart& part, uint32_t layer, uint32_t first, uint32_t count, bool fits) const {
    HalfRows attended(scratch_.attended, EncoderModel::HEAD);
    TileSums<TILES> totals[GROUPS];
    for (uint32_t shard = part.member; shard < part.model.shards; shard += part.members) {
      const float* head = fits ? scratch_.head : this->head(part, shard);
      uint32_t stride = fits ? EncoderScratch::HEAD_STRIDE : 3 * EncoderModel::HEAD;
      if (fits) {
        project<TILES>(part, layer, shard, count, scratch_.head, stride);
        ctx_.sync();
      }
      for (uint32_t row = warp(); row < count; row += WARPS) {
        attend(head + (first + row) * stride, head, stride, part.tokens, attended.row(row));
      }
      ctx_.sync();
      contribute<TILES>(part, attended, part.model.attentionOutput(layer, shard), EncoderModel::HEAD / 32,
                        shard, first, count, totals);
      // All have read the rows before others take their place.
      ctx_.sync();
    }
    leaveTotals<TILES>(part, totals, first, count);
  }

  __device__ void feedForward(TeamPart& part, uint32_t layer) const {
    constexpr uint32_t ROWS = EncoderScratch::ROWS;
    for (uint32_t first = 0; first < part.tokens; first += ROWS) {
      uint32_t count = min(ROWS, part.tokens - first);
      stage(part, first, count);
      count <= HalfRows::TILE ? feedForwardRows<1>(part, layer, first, count)
                              : feedForwardRows<2>(part, layer, first, count);
    }
  }

  template <uint32_t TILES>
  __device__ __noinline__ void feedForwardRows(TeamPart& part, uint32_t layer, uint32_t first, uint32_t count) const {
    const EncoderModel& model = part.model;
    HalfRows rows(scratch_.rows, model.hidden);
    HalfRows inner(scratch_.inner, model.slice);
    uint32_t steps = model.hidden / 32;
    TileSums<TILES> totals[GROUPS];
    for (uint32_t shard = part.member; shard < model.shards; shard += part.members) {
      Dense dense = model.inner(layer, shard);
      for (uint32_t group = warp(); group < model.slice / 8; group += WARPS) {
        uint32_t column = group * 8 + lane() % 4 * 2;
        float low = dense.bias[column];
        float high = dense.bias[column + 1];
        multiplyTiles<TILES>(rows, dense.weights + group * steps * machine::WARP, steps, lane())
            .each(lane(), [&](uint32_t row, float one, float other) {
              inner.row(row)[column / 2] = machine::toHalves(gelu(one + low), gelu(other + high));
            });
      }
      ctx_.sync();
      contribute<TILES>(part, inner, model.output(layer, shard), model.slice / 32, shard, first, count, totals);
      ctx_.sync();
    }
    leaveTotals<TILES>(part, totals, first, count);
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
