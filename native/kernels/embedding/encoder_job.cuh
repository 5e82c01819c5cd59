// What the threads of a worker know of the text that they encode, and the memory they share for it.
#pragma once

#include "encoder_chunks.cuh"
#include "encoder_messages.cuh"
#include "encoder_model.cuh"
#include "encoder_team.cuh"
#include "half_tiles.cuh"

/** Query, key and value of a head, a row for each token. */
struct HeadRows {
  float* at;
  uint32_t stride;

  __device__ float* row(uint32_t token) const { return at + token * stride; }
};

/** So many bytes, and what is left of the last line of 128. */
__device__ inline uint64_t inLines(uint64_t bytes) {
  return (bytes + 127) / 128 * 128;
}

/** Where a team keeps what its workers exchange. */
struct EncoderMemory {
  TeamBoard* board;
  /** The text. */
  int32_t* tokens;
  /** A row for each token: chunks of floats. */
  Chunk* states;
  /** The same as halves, which are multiplied. */
  Chunk* halves;
  /** What each shard adds to each row: chunks of floats. */
  Chunk* parts;
  /** What has no room in shared memory. */
  float* heads;

  __device__ EncoderMemory(uint8_t* at, const EncoderModel& model)
      : board(reinterpret_cast<TeamBoard*>(at)),
        tokens(reinterpret_cast<int32_t*>(at + sizeof(TeamBoard))),
        states(reinterpret_cast<Chunk*>(at + sizeof(TeamBoard) + tokenBytes(model))),
        halves(states + chunks(model)),
        parts(halves + chunks(model) / 2),
        heads(reinterpret_cast<float*>(parts + EncoderModel::SHARDS * chunks(model))) {}

  __device__ static uint64_t bytes(const EncoderModel& model) {
    uint64_t heads = 4 * uint64_t(model.maxTokens) * EncoderModel::SHARDS * EncoderModel::PROJECTED;
    return inLines(sizeof(TeamBoard) + tokenBytes(model) +
                   (3 + 2 * EncoderModel::SHARDS) * chunks(model) / 2 * sizeof(Chunk) + heads);
  }

  /** How many chunks all of a team's rows have, and their parts. */
  __device__ uint64_t chunks() const { return reinterpret_cast<Chunk*>(heads) - states; }

 private:
  __device__ static uint64_t tokenBytes(const EncoderModel& model) {
    return inLines(4 * uint64_t(model.maxTokens));
  }

  /** Of a row of floats for each token. */
  __device__ static uint64_t chunks(const EncoderModel& model) {
    return uint64_t(model.maxTokens) * ROW_CHUNKS;
  }
};

/** A text, and the part of it that is a worker's. */
struct EncoderJob {
  EncoderModel model;
  EncoderMemory memory;
  uint32_t tokens;
  uint32_t member;
  uint32_t members;
  /** How many shards the worker has. */
  uint32_t shards;
  /** Of its first rows. */
  uint32_t tag;

  __device__ EncoderJob(const EncoderModel& model, const EncoderMemory& memory, uint32_t tokens,
                        uint32_t tag, uint32_t member, uint32_t members)
      : model(model),
        memory(memory),
        tokens(tokens),
        member(member),
        members(members),
        shards((EncoderModel::SHARDS - member + members - 1) / members),
        tag(tag) {}

  __device__ bool isAlone() const { return members == 1; }

  __device__ uint32_t shard(uint32_t index) const { return member + index * members; }

  /** Whose row is this worker's, of those that it makes. */
  __device__ uint32_t token(uint32_t index) const { return member + index * members; }
};

/** What a worker shares. It is a block of its own. */
struct EncoderScratch {
  using States = HalfRows<EncoderModel::HIDDEN>;

  static constexpr uint32_t ROWS = 2 * TILE_ROWS;
  /** So far apart that eight lanes meet no bank twice. */
  static constexpr uint32_t HEAD_STRIDE = EncoderModel::PROJECTED + 4;
  /** For how many shards' parts of the inner layer there is room, of one tile. */
  static constexpr uint32_t INNER_SHARDS = 4;

  /** @tparam TILES how many tiles the rows take */
  template <uint32_t TILES>
  using Inner = HalfRows<INNER_SHARDS / TILES * EncoderModel::SLICE>;

  static constexpr uint32_t INNER_WORDS = Inner<2>::words(2);

  static_assert(Inner<1>::words(1) <= INNER_WORDS);

  /** What is multiplied: the states of tokens, or what heads have attended to. */
  alignas(16) uint32_t rows[States::words(2)];
  union {
    alignas(16) float head[ROWS * HEAD_STRIDE];
    uint32_t inner[INNER_WORDS];
  };
  alignas(16) uint8_t job[sizeof(EncoderJob)];
  /** What the warps of a row have summed up of it. */
  float sums[2][RINGKERNEL_MAX_THREADS / machine::WARP];
  /** Whether a worker that was called belongs to a team. */
  uint32_t belongs;

  /** Not of an unnamed namespace, whose name in PTX depends on the folder of the build. */
  __device__ static EncoderScratch& ofBlock() {
    __shared__ EncoderScratch scratch;
    return scratch;
  }
};
