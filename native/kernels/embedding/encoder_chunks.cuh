// How the workers of a team exchange rows: in chunks of three words and a tag. A chunk whose tag is
// the one that is awaited has come, whole, so that no worker waits for a fence, a counter and then
// the data.
//
// The rows of a text have tags one after the other: those of the embedding, and those behind each
// attention and each inner layer. What shards add to rows has the tag of the rows that come of it.
// No chunk is overwritten before those that await it have it: what a shard adds to a row follows
// from the row that its worker has read, and a row follows from what all shards have added.
//
// A text's first tag is a multiple of how many a text has. So, even where tags begin anew, what an
// earlier text has left has the tag of one of the last steps, and none of the first ones awaits it.
#pragma once

#include <ringkernel/chunk.cuh>
#include <ringkernel/ring_kernel.cuh>

#include "encoder_model.cuh"

namespace machine = ringkernel::machine;

using ringkernel::Chunk;

/**
 * How many chunks a row of floats has: chunk c has its elements c, c + ROW_CHUNKS and
 * c + 2 ROW_CHUNKS. A row of halves has half as many, of words likewise.
 */
constexpr uint32_t ROW_CHUNKS = EncoderModel::HIDDEN / 3;

/** The first tag of a text, behind that of the last one of its team; never that of fresh memory. */
__device__ inline uint32_t nextTag(uint32_t tag, uint32_t layers) {
  uint32_t tags = 1 + 2 * layers;
  return tag > UINT32_MAX - 2 * tags ? tags : tag + tags;
}

/** A chunk of three floats. */
__device__ inline Chunk chunkOf(float first, float second, float third, uint32_t tag) {
  return Chunk::of(__float_as_uint(first), __float_as_uint(second), __float_as_uint(third), tag);
}

/** Adds the floats of a chunk. */
__device__ inline void addChunk(float (&sums)[3], const Chunk& chunk) {
  uint32_t words[3];
  chunk.unpack(words);
#pragma unroll
  for (uint32_t i = 0; i < 3; i++) {
    sums[i] += __uint_as_float(words[i]);
  }
}

/**
 * Waits until chunks have come that other workers store.
 * @param at where the chunk of an index lies
 */
template <uint32_t COUNT, class At>
__device__ __forceinline__ void awaitChunks(Chunk (&chunks)[COUNT], uint32_t tag, At at) {
  constexpr uint32_t PAUSE_NANOS = 20;
  while (true) {
    bool isMissing = false;
#pragma unroll
    for (uint32_t i = 0; i < COUNT; i++) {
      chunks[i] = Chunk::loadDevice(at(i));
    }
#pragma unroll
    for (uint32_t i = 0; i < COUNT; i++) {
      isMissing |= chunks[i].tag() != tag;
    }
    if (!isMissing) {
      return;
    }
    machine::pause(PAUSE_NANOS);
  }
}
