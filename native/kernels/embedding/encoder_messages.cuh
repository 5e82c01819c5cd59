// Generated from io.ringkernel.spring.ai.embedding.kernel.EncoderRequest, io.ringkernel.spring.ai.embedding.kernel.EncoderResponse.
// Change the records and generate it anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

enum class EncoderOperation : int32_t { ENCODE, LOAD };

struct EncoderRequest {
  static constexpr uint64_t FINGERPRINT = 0x46cbf229f29928ed;
  static constexpr uint32_t MAX_BYTES = 67632;
  static constexpr char LAYOUT[] = R"(EncoderRequest: fixed block of 40 bytes, alignment 8, at most 67632 bytes in all
  offset    size  align  component
       0       4      4  operation enum(ENCODE|LOAD)
       8       8      8  stamp int64
      16       4      4  offset int32
      20       8      4  tokens int32[<=512]
      28       8      4  words int32[<=16384]
)";

  EncoderOperation operation;
  int64_t stamp;
  int32_t offset;
  ringkernel::Array<int32_t, 512, 20> tokens;
  ringkernel::Array<int32_t, 16384, 28> words;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(operation), 2) &
           message.holds(tokens) &
           message.holds(words);
  }
};

static_assert(sizeof(EncoderRequest) == 40);
static_assert(offsetof(EncoderRequest, operation) == 0);
static_assert(offsetof(EncoderRequest, stamp) == 8);
static_assert(offsetof(EncoderRequest, offset) == 16);
static_assert(offsetof(EncoderRequest, tokens) == 20);
static_assert(offsetof(EncoderRequest, words) == 28);

enum class EncoderOutcome : int32_t { DONE, STALE };

struct EncoderResponse {
  static constexpr uint64_t FINGERPRINT = 0xa6cc53d20ece26f1;
  static constexpr uint32_t MAX_BYTES = 1552;
  static constexpr char LAYOUT[] = R"(EncoderResponse: fixed block of 12 bytes, alignment 4, at most 1552 bytes in all
  offset    size  align  component
       0       4      4  outcome enum(DONE|STALE)
       4       8      4  vector float[<=384]
)";

  EncoderOutcome outcome;
  ringkernel::Array<float, 384, 4> vector;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(outcome), 2) &
           message.holds(vector);
  }
};

static_assert(sizeof(EncoderResponse) == 12);
static_assert(offsetof(EncoderResponse, outcome) == 0);
static_assert(offsetof(EncoderResponse, vector) == 4);
