// What the threads of a worker know of the text that they encode, and the memory they share for it.
#pragma once

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
  /** A row for each token. */
  float* states;
  /** The same as halves, which are multiplied. */
  uint32_t* halves;
  /** What each shard adds to each row. */
  float* parts;
  /** What has no room in shared memory. */
  float* heads;

  __device__ EncoderMemory(uint8_t* at, const EncoderModel& model)
      : board(reinterpret_cast<TeamBoard*>(at)),
        states(reinterpret_cast<float*>(at + sizeof(TeamBoard))),
        halves(reinterpret_cast<uint32_t*>(states + elements(model))),
        parts(states + elements(model) / 2 * 3),
        heads(parts + EncoderModel::SHARDS * elements(model)) {}

  __device__ static uint64_t bytes(const EncoderModel& model) {
    uint64_t words = elements(model) / 2 * 3 + (EncoderModel::SHARDS + 3) * elements(model);
    return inLines(sizeof(TeamBoard) + 4 * words);
  }

 private:
  __device__ static uint64_t elements(const EncoderModel& model) {
    return uint64_t(model.maxTokens) * EncoderModel::HIDDEN;
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
  /** How many arrivals there have been when all have come to the next meeting. */
  uint32_t arrivals;

  __device__ EncoderJob(const EncoderModel& model, const EncoderMemory& memory, uint32_t tokens,
                        uint32_t member, uint32_t members)
      : model(model),
        memory(memory),
        tokens(tokens),
        member(member),
        members(members),
        shards((EncoderModel::SHARDS - member + members - 1) / members),
        arrivals(members) {}

  __device__ bool isAlone() const { return members == 1; }

  __device__ uint32_t shard(uint32_t index) const { return member + index * members; }
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
  /** Whether a worker that was called belongs to a team. */
  uint32_t belongs;

  /** Not of an unnamed namespace, whose name in PTX depends on the folder of the build. */
  __device__ static EncoderScratch& ofBlock() {
    __shared__ EncoderScratch scratch;
    return scratch;
  }
};
