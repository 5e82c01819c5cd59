// A model as io.ringkernel.spring.ai.embedding.kernel.EncoderImage lays it out: a BERT encoder of
// the size that MiniLM, E5 and GTE call small. A shard is a head and as large a part of the inner
// layer: what a worker computes for a shard needs nothing of the others.
#pragma once

#include <cstdint>

/** A matrix whose columns are in groups of eight, and what is added to its products. */
struct Dense {
  const uint4* weights;
  const float* bias;
};

/** How the elements of a row are normalized. */
struct Norm {
  const float* weight;
  const float* bias;
};

/** Where what is a model's lies in its image. */
class EncoderModel {
 public:
  static constexpr uint32_t HIDDEN = 384;
  static constexpr uint32_t SHARDS = 12;
  static constexpr uint32_t HEAD = HIDDEN / SHARDS;
  /** Query, key and value of a head. */
  static constexpr uint32_t PROJECTED = 3 * HEAD;
  /** The columns of the inner layer that a shard has. */
  static constexpr uint32_t SLICE = 128;

  uint32_t vocabulary;
  uint32_t maxTokens;
  uint32_t layers;
  float epsilon;

  __device__ explicit EncoderModel(const uint32_t* image)
      : vocabulary(image[2]),
        maxTokens(image[3]),
        layers(image[4]),
        epsilon(__uint_as_float(image[5])),
        words_(image) {}

  __device__ static int64_t stampOf(const uint32_t* image) {
    return static_cast<int64_t>(static_cast<uint64_t>(image[1]) << 32 | image[0]);
  }

  /** How many words the image has. */
  __device__ uint32_t length() const { return layerAt(layers); }

  /** Pairs of halves. */
  __device__ const uint32_t* embedding(uint32_t token) const {
    return words_ + HEADER_WORDS + token * (HIDDEN / 2);
  }

  __device__ const float* position(uint32_t index) const {
    return floats(positionsAt() + index * HIDDEN);
  }

  __device__ Norm embeddingNorm() const { return norm(position(maxTokens)); }

  __device__ Dense projection(uint32_t layer, uint32_t shard) const {
    return dense(layerAt(layer) + shard * PROJECTION_WORDS, PROJECTED);
  }

  /** What a head adds to the output of the attention. */
  __device__ const uint4* attentionOutput(uint32_t layer, uint32_t shard) const {
    return matrix(layerAt(layer) + ATTENTION_OUTPUT_AT + shard * ATTENTION_OUTPUT_WORDS);
  }

  __device__ const float* attentionBias(uint32_t layer) const {
    return floats(layerAt(layer) + ATTENTION_BIAS_AT);
  }

  __device__ Dense inner(uint32_t layer, uint32_t shard) const {
    return dense(layerAt(layer) + INNER_AT + shard * INNER_WORDS, SLICE);
  }

  /** What a part of the inner layer adds to the output. */
  __device__ const uint4* output(uint32_t layer, uint32_t shard) const {
    return matrix(layerAt(layer) + OUTPUT_AT + shard * OUTPUT_WORDS);
  }

  __device__ const float* outputBias(uint32_t layer) const {
    return floats(layerAt(layer) + OUTPUT_BIAS_AT);
  }

  /** A norm lies behind the biases that are added before it. */
  __device__ static Norm normBehind(const float* bias) { return norm(bias + HIDDEN); }

 private:
  static constexpr uint32_t HEADER_WORDS = 16;

  // How many words a shard has, and where the shards of a layer begin in it.
  static constexpr uint32_t PROJECTION_WORDS = PROJECTED * HIDDEN / 2 + PROJECTED;
  static constexpr uint32_t ATTENTION_OUTPUT_WORDS = HIDDEN * HEAD / 2;
  static constexpr uint32_t INNER_WORDS = SLICE * HIDDEN / 2 + SLICE;
  static constexpr uint32_t OUTPUT_WORDS = HIDDEN * SLICE / 2;
  static constexpr uint32_t ATTENTION_OUTPUT_AT = SHARDS * PROJECTION_WORDS;
  static constexpr uint32_t ATTENTION_BIAS_AT =
      ATTENTION_OUTPUT_AT + SHARDS * ATTENTION_OUTPUT_WORDS;
  static constexpr uint32_t INNER_AT = ATTENTION_BIAS_AT + 3 * HIDDEN;
  static constexpr uint32_t OUTPUT_AT = INNER_AT + SHARDS * INNER_WORDS;
  static constexpr uint32_t OUTPUT_BIAS_AT = OUTPUT_AT + SHARDS * OUTPUT_WORDS;
  static constexpr uint32_t LAYER_WORDS = OUTPUT_BIAS_AT + 3 * HIDDEN;

  const uint32_t* words_;

  __device__ uint32_t positionsAt() const { return HEADER_WORDS + vocabulary * (HIDDEN / 2); }

  __device__ uint32_t layerAt(uint32_t layer) const {
    return positionsAt() + (maxTokens + 2) * HIDDEN + layer * LAYER_WORDS;
  }

  __device__ const float* floats(uint32_t at) const {
    return reinterpret_cast<const float*>(words_ + at);
  }
  __device__ const uint4* matrix(uint32_t at) const {
    return reinterpret_cast<const uint4*>(words_ + at);
  }
  __device__ static Norm norm(const float* weight) { return {weight, weight + HIDDEN}; }
  __device__ Dense dense(uint32_t at, uint32_t columns) const {
    return {matrix(at), floats(at + columns * HIDDEN / 2)};
  }
};
