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

/** A row, of which each lane has four neighbouring elements three times. */
class EncoderRow {
 public:
  __device__ explicit EncoderRow(uint32_t lane) : lane_(lane) {}

  __device__ void add(const float* row) {
    auto from = reinterpret_cast<const float4*>(row) + lane_;
#pragma unroll
    for (uint32_t i = 0; i < LOADS; i++) {
      add(values_[i], machine::loadStreamed(from + i * machine::WARP));
    }
  }

  __device__ void addHalves(const uint32_t* row) {
    auto from = reinterpret_cast<const uint2*>(row) + lane_;
#pragma unroll
    for (uint32_t i = 0; i < LOADS; i++) {
      uint2 halves = machine::loadStreamed(from + i * machine::WARP);
      float2 low = machine::ofHalves(halves.x);
      float2 high = machine::ofHalves(halves.y);
      add(values_[i], {low.x, low.y, high.x, high.y});
    }
  }

  /** Ba, Kiros and Hinton, Layer Normalization, arXiv 1607.06450. */
  __device__ void normalize(float epsilon, Norm norm) {
    constexpr float SHARE = 1.0f / EncoderModel::HIDDEN;
    float sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < LOADS; i++) {
      sum += (values_[i].x + values_[i].y) + (values_[i].z + values_[i].w);
    }
    float mean = sumOf(sum, lane_) * SHARE;
    float squares = 0;
#pragma unroll
    for (uint32_t i = 0; i < LOADS; i++) {
      float4& value = values_[i];
      value = {value.x - mean, value.y - mean, value.z - mean, value.w - mean};
      squares += (value.x * value.x + value.y * value.y) + (value.z * value.z + value.w * value.w);
    }
    float scale = rsqrtf(sumOf(squares, lane_) * SHARE + epsilon);
#pragma unroll
    for (uint32_t i = 0; i < LOADS; i++) {
      float4& value = values_[i];
      float4 weight = machine::loadStreamed(reinterpret_cast<const float4*>(norm.weight) + lane_ +
                                            i * machine::WARP);
      float4 bias = machine::loadStreamed(reinterpret_cast<const float4*>(norm.bias) + lane_ +
                                          i * machine::WARP);
      value = {fmaf(value.x * scale, weight.x, bias.x), fmaf(value.y * scale, weight.y, bias.y),
               fmaf(value.z * scale, weight.z, bias.z), fmaf(value.w * scale, weight.w, bias.w)};
    }
  }

  __device__ void store(float* row, uint32_t* halves) const {
#pragma unroll
    for (uint32_t i = 0; i < LOADS; i++) {
      const float4& value = values_[i];
      reinterpret_cast<float4*>(row)[lane_ + i * machine::WARP] = value;
      reinterpret_cast<uint2*>(halves)[lane_ + i * machine::WARP] = {
          machine::toHalves(value.x, value.y), machine::toHalves(value.z, value.w)};
    }
  }

 private:
  static constexpr uint32_t LOADS = EncoderModel::HIDDEN / 4 / machine::WARP;

  uint32_t lane_;
  float4 values_[LOADS] = {};

  __device__ static void add(float4& sum, float4 other) {
    sum = {sum.x + other.x, sum.y + other.y, sum.z + other.z, sum.w + other.w};
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
