// NeighbourRequest and NeighbourResponse.
#pragma once

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

enum class Operation : int32_t { ADD, REMOVE, QUERY, CLEAR, SIZE };

struct NeighbourRequest {
  static constexpr uint64_t FINGERPRINT = 0x40ef73f4c02d1d6c;
  static constexpr uint32_t MAX_BYTES = 69680;
  static constexpr char LAYOUT[] = R"(NeighbourRequest: fixed block of 36 bytes, alignment 4, at most 69680 bytes in all
  offset    size  align  component
       0       4      4  operation enum(ADD|REMOVE|QUERY|CLEAR|SIZE)
       4       4      4  k int32
       8       4      4  shard int32
      12       4      4  shards int32
      16       4      4  capacity int32
      20       8      4  ids int32[<=1024]
      28       8      4  vectors float[<=16384]
)";

  Operation operation;
  int32_t k;
  int32_t shard;
  int32_t shards;
  int32_t capacity;
  ringkernel::Array<int32_t, 1024, 20> ids;
  ringkernel::Array<float, 16384, 28> vectors;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(operation), 5) & message.holds(ids) &
           message.holds(vectors);
  }
};

static_assert(sizeof(NeighbourRequest) == 36);
static_assert(offsetof(NeighbourRequest, operation) == 0);
static_assert(offsetof(NeighbourRequest, k) == 4);
static_assert(offsetof(NeighbourRequest, shard) == 8);
static_assert(offsetof(NeighbourRequest, shards) == 12);
static_assert(offsetof(NeighbourRequest, capacity) == 16);
static_assert(offsetof(NeighbourRequest, ids) == 20);
static_assert(offsetof(NeighbourRequest, vectors) == 28);

enum class Outcome : int32_t { DONE, FULL, UNKNOWN_ID, TOO_LITTLE_MEMORY };

struct NeighbourResponse {
  static constexpr uint64_t FINGERPRINT = 0xb4f1f52279fac3c4;
  static constexpr uint32_t MAX_BYTES = 832;
  static constexpr char LAYOUT[] = R"(NeighbourResponse: fixed block of 32 bytes, alignment 8, at most 832 bytes in all
  offset    size  align  component
       0       4      4  outcome enum(DONE|FULL|UNKNOWN_ID|TOO_LITTLE_MEMORY)
       4       4      4  size int32
       8       8      8  version int64
      16       8      4  ids int32[<=100]
      24       8      4  distances float[<=100]
)";

  Outcome outcome;
  int32_t size;
  int64_t version;
  ringkernel::Array<int32_t, 100, 16> ids;
  ringkernel::Array<float, 100, 24> distances;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(outcome), 4) & message.holds(ids) &
           message.holds(distances);
  }
};

static_assert(sizeof(NeighbourResponse) == 32);
static_assert(offsetof(NeighbourResponse, outcome) == 0);
static_assert(offsetof(NeighbourResponse, size) == 4);
static_assert(offsetof(NeighbourResponse, version) == 8);
static_assert(offsetof(NeighbourResponse, ids) == 16);
static_assert(offsetof(NeighbourResponse, distances) == 24);
