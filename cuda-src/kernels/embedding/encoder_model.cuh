// A model as io.ringkernel.spring.ai.embedding.kernel.EncoderImage lays it out: a BERT encoder whose
// heads have 32 dimensions. A shard is a head and as large a part of the inner layer: what a worker
// computes for a shard needs nothing of the others.
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

struct EncoderModel {
  static constexpr uint32_t HEADER_WORDS = 16;
  static constexpr uint32_t HEAD = 32;
  static constexpr uint32_t MAX_HIDDEN = 384;
  static constexpr uint32_t MAX_SLICE = 128;

  const uint32_t* words;
  uint32_t vocabulary;
  uint32_t maxTokens;
  uint32_t hidden;
  uint32_t shards;
  uint32_t layers;
  /** The columns of the inner layer that a shard has. */
  uint32_t slice;
  float epsilon;

  __device__ explicit EncoderModel(const uint32_t* image)
      : words(image),
        vocabulary(image[2]),
        maxTokens(image[3]),
        hidden(image[4]),
        shards(image[5]),
        layers(image[6]),
        slice(image[7]),
        epsilon(__uint_as_float(image[8])) {}

  __device__ static int64_t stampOf(const uint32_t* image) {
    return static_cast<int64_t>(static_cast<uint64_t>(image[1]) << 32 | image[0]);
  }

  /** How many words the image has. */
  __device__ uint64_t length() const { return layersAt() + uint64_t(layers) * layerWords(); }

  /** Pairs of halves. */
  __device__ const uint32_t* embedding(uint32_t token) const {
    return words + HEADER_WORDS + uint64_t(token) * (hidden / 2);
  }

  __device__ const float* position(uint32_t index) const {
    return floats(positionsAt() + uint64_t(index) * hidden);
  }

  __device__ Norm embeddingNorm() const { return norm(positionsAt() + uint64_t(maxTokens) * hidden); }

  /** Query, key and value of a head. */
  __device__ Dense projection(uint32_t layer, uint32_t shard) const {
    return dense(layerAt(layer) + uint64_t(shard) * denseWords(3 * HEAD, hidden), 3 * HEAD, hidden);
  }

  /** What a head adds to the output of the attention. */
  __device__ const uint4* attentionOutput(uint32_t layer, uint32_t shard) const {
    return matrix(attentionOutputAt(layer) + uint64_t(shard) * matrixWords(hidden, HEAD));
  }

  __device__ const float* attentionBias(uint32_t layer) const {
    return floats(attentionBiasAt(layer));
  }

  __device__ Norm attentionNorm(uint32_t layer) const {
    return norm(attentionBiasAt(layer) + hidden);
  }

  __device__ Dense inner(uint32_t layer, uint32_t shard) const {
    return dense(innerAt(layer) + uint64_t(shard) * denseWords(slice, hidden), slice, hidden);
  }

  /** What a part of the inner layer adds to the output. */
  __device__ const uint4* output(uint32_t layer, uint32_t shard) const {
    return matrix(outputAt(layer) + uint64_t(shard) * matrixWords(hidden, slice));
  }

  __device__ const float* outputBias(uint32_t layer) const { return floats(outputBiasAt(layer)); }

  __device__ Norm outputNorm(uint32_t layer) const { return norm(outputBiasAt(layer) + hidden); }

 private:
  __device__ static uint64_t matrixWords(uint32_t columns, uint32_t rows) {
    return uint64_t(columns) * rows / 2;
  }

  __device__ static uint64_t denseWords(uint32_t columns, uint32_t rows) {
    return matrixWords(columns, rows) + columns;
  }

  __device__ uint64_t positionsAt() const {
    return HEADER_WORDS + uint64_t(vocabulary) * (hidden / 2);
  }
  __device__ uint64_t layersAt() const {
    return positionsAt() + uint64_t(maxTokens) * hidden + 2 * hidden;
  }
  __device__ uint64_t layerWords() const { return outputBiasAt(0) + 3 * hidden - layerAt(0); }
  __device__ uint64_t layerAt(uint32_t layer) const {
    return layersAt() + (layer == 0 ? 0 : layer * layerWords());
  }
  __device__ uint64_t attentionOutputAt(uint32_t layer) const {
    return layerAt(layer) + shards * denseWords(3 * HEAD, hidden);
  }
  __device__ uint64_t attentionBiasAt(uint32_t layer) const {
    return attentionOutputAt(layer) + shards * matrixWords(hidden, HEAD);
  }
  __device__ uint64_t innerAt(uint32_t layer) const { return attentionBiasAt(layer) + 3 * hidden; }
  __device__ uint64_t outputAt(uint32_t layer) const {
    return innerAt(layer) + shards * denseWords(slice, hidden);
  }
  __device__ uint64_t outputBiasAt(uint32_t layer) const {
    return outputAt(layer) + shards * matrixWords(hidden, slice);
  }

  __device__ const float* floats(uint64_t at) const {
    return reinterpret_cast<const float*>(words + at);
  }
  __device__ const uint4* matrix(uint64_t at) const {
    return reinterpret_cast<const uint4*>(words + at);
  }
  __device__ Norm norm(uint64_t at) const { return {floats(at), floats(at + hidden)}; }
  __device__ Dense dense(uint64_t at, uint32_t columns, uint32_t rows) const {
    return {matrix(at), floats(at + matrixWords(columns, rows))};
  }
};
