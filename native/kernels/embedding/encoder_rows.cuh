// What a warp does with the row of a token.
#pragma once

#include <ringkernel/machine.cuh>

#include "../warp_sums.cuh"
#include "encoder_job.cuh"

/** The sum of a number of each lane, of so many beside each other. */
template <uint32_t WIDTH = machine::WARP>
__device__ inline float sumOf(float value, uint32_t lane) {
  float values[] = {value};
  return WarpSums<1, WIDTH>::of(values, lane);
}

/** What a thread multiplies its elements of rows by, and adds to them. */
struct RowScaling {
  float weight[3];
  float bias[3];
};

/** A row, of which each of ROW_CHUNKS threads beside each other has what a chunk has. */
class EncoderRow {
 public:
  /** How many rows the threads of a worker have at once. */
  static constexpr uint32_t AT_ONCE = RINGKERNEL_MAX_THREADS / ROW_CHUNKS;

  /** Which of the rows that the worker has at once is this thread's. */
  __device__ static uint32_t place() { return threadIdx.x / ROW_CHUNKS; }

  __device__ static uint32_t chunk() { return threadIdx.x % ROW_CHUNKS; }

  /** The thread's elements of a row. */
  __device__ static uint32_t element(uint32_t index) { return chunk() + index * ROW_CHUNKS; }

  __device__ static RowScaling scaling(Norm norm) {
    RowScaling scaling;
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      scaling.weight[i] = machine::loadStreamed(norm.weight + element(i));
      scaling.bias[i] = machine::loadStreamed(norm.bias + element(i));
    }
    return scaling;
  }

  __device__ void add(const float (&values)[3]) {
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      values_[i] += values[i];
    }
  }

  __device__ void add(const Chunk& chunk) {
    addChunk(values_, chunk);
  }

  /** Ba, Kiros and Hinton, Layer Normalization, arXiv 1607.06450; called by all threads. */
  template <class Context>
  __device__ __forceinline__ void normalize(const Context& ctx, EncoderScratch& scratch,
                                            float epsilon, const RowScaling& scaling) {
    constexpr float SHARE = 1.0f / EncoderModel::HIDDEN;
    float mean = sum(ctx, scratch.sums[0], values_[0] + values_[1] + values_[2]) * SHARE;
    float squares = 0;
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      values_[i] -= mean;
      squares += values_[i] * values_[i];
    }
    float scale = rsqrtf(sum(ctx, scratch.sums[1], squares) * SHARE + epsilon);
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      values_[i] = fmaf(values_[i] * scale, scaling.weight[i], scaling.bias[i]);
    }
  }

  __device__ void store(Chunk* row, uint32_t tag) const {
    chunkOf(values_[0], values_[1], values_[2], tag).storeDevice(row + chunk());
  }

  /** Stores a row of halves, which a thread with an even number has of itself and the next one. */
  __device__ void storeHalves(Chunk* row, uint32_t tag) const {
    uint32_t words[3];
#pragma unroll
    for (uint32_t i = 0; i < 3; i++) {
      words[i] = machine::toHalves(values_[i], __shfl_xor_sync(machine::ALL_LANES, values_[i], 1u));
    }
    if (chunk() % 2 == 0) {
      Chunk::pack(words, tag).storeDevice(row + chunk() / 2);
    }
  }

 private:
  float values_[3] = {};

  /** The sum over the threads of a row. */
  template <class Context>
  __device__ __forceinline__ static float sum(const Context& ctx, float* sums, float value) {
    constexpr uint32_t WARPS = ROW_CHUNKS / machine::WARP;
    static_assert(WARPS == 4, "added as two pairs");
    float ofWarp = sumOf(value, threadIdx.x % machine::WARP);
    if (threadIdx.x % machine::WARP == 0) {
      sums[threadIdx.x / machine::WARP] = ofWarp;
    }
    ctx.sync();
    const float* ofRow = sums + place() * WARPS;
    return (ofRow[0] + ofRow[1]) + (ofRow[2] + ofRow[3]);
  }
};

/**
 * Attends to all tokens for one of them; called by a warp. Vaswani et al., Attention Is All You
 * Need, arXiv 1706.03762; a part of the tokens at a time, as in Milakov and Gimelshein, Online
 * normalizer calculation for softmax, arXiv 1805.02867.
 * @return of a lane with an even number, its dimension and the next one
 */
__device__ inline uint32_t attend(const HeadRows& head, uint32_t token, uint32_t tokens,
                                  uint32_t lane) {
  constexpr uint32_t HEAD = EncoderModel::HEAD;
  static_assert(HEAD == machine::WARP, "a lane has a dimension of the value");
  const float scale = 0.17677669f;  // 1 / sqrt(HEAD)
  // Eight lanes have a row of 32 elements, four each.
  auto quad = [&](uint32_t row, uint32_t column) {
    return reinterpret_cast<const float4*>(head.row(row) + column)[lane % 8];
  };
  float4 query = quad(token, 0);
  float greatest = -INFINITY;
  float weights = 0;
  float sum = 0;
#pragma unroll 1
  for (uint32_t from = 0; from < tokens; from += machine::WARP) {
    uint32_t count = min(machine::WARP, tokens - from);
    float score = -INFINITY;
#pragma unroll 4
    for (uint32_t i = 0; i < count; i += 4) {
      float4 key = quad(from + min(i + lane / 8, count - 1), HEAD);
      float products = sumOf<8>(
          fmaf(query.x, key.x, query.y * key.y) + fmaf(query.z, key.z, query.w * key.w), lane);
      products = __shfl_sync(machine::ALL_LANES, products, lane % 4 * 8);
      score = lane - i < 4 && lane < count ? products * scale : score;
    }
    float before = greatest;
    greatest = fmaxf(greatest, score);
#pragma unroll
    for (uint32_t distance = machine::WARP / 2; distance > 0; distance /= 2) {
      greatest = fmaxf(greatest, __shfl_xor_sync(machine::ALL_LANES, greatest, distance));
    }
    float weight = lane < count ? expf(score - greatest) : 0;
    float shrink = expf(before - greatest);
    weights = fmaf(weights, shrink, sumOf(weight, lane));
    sum *= shrink;
    const float* value = head.row(from) + 2 * HEAD + lane;
#pragma unroll 4
    for (uint32_t i = 0; i < count; i++) {
      sum = fmaf(__shfl_sync(machine::ALL_LANES, weight, i), value[i * head.stride], sum);
    }
  }
  float result = __fdividef(sum, weights);
  return machine::toHalves(result, __shfl_xor_sync(machine::ALL_LANES, result, 1u));
}

/**
 * Hendrycks and Gimpel, Gaussian Error Linear Units, arXiv 1606.08415: x P(X <= x) of a standard
 * normal X. The error function is the quotient of Eigen, unsupported/Eigen/SpecialFunctions.
 */
__device__ inline float gelu(float argument) {
  float x = fminf(fmaxf(argument * 0.70710678f, -4.0f), 4.0f);
  float s = x * x;
  float p = fmaf(-2.72614225801306e-10f, s, 2.77068142495902e-08f);
  p = fmaf(p, s, -2.10102402082508e-06f);
  p = fmaf(p, s, -5.69250639462346e-05f);
  p = fmaf(p, s, -7.34990630326855e-04f);
  p = fmaf(p, s, -2.95459980854025e-03f);
  p = fmaf(p, s, -1.60960333262415e-02f);
  float q = fmaf(-1.45660718464996e-05f, s, -2.13374055278905e-04f);
  q = fmaf(q, s, -1.68282697438203e-03f);
  q = fmaf(q, s, -7.37332916720468e-03f);
  q = fmaf(q, s, -1.42647390514189e-02f);
  return 0.5f * argument * (1 + __fdividef(x * p, q));
}
