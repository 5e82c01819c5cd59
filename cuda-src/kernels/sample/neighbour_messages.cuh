// NeighbourRequest and NeighbourResponse.
#pragma once

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

enum class Operation : int32_t { ADD, REMOVE, QUERY, CLEAR, SIZE };

enum class Outcome : int32_t { DONE, FULL, UNKNOWN_ID };

struct NeighbourRequest {
  static constexpr uint64_t FINGERPRINT = 0x05be85e71326eb10;
  static constexpr uint32_t MAX_BYTES = 69664;

  Operation operation;
  int32_t k;
  ringkernel::Array<int32_t, 1024, 8> ids;
  ringkernel::Array<float, 16384, 16> vectors;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(operation), 5) && message.holds(ids) &&
           message.holds(vectors);
  }
};

static_assert(sizeof(NeighbourRequest) == 24);
static_assert(offsetof(NeighbourRequest, operation) == 0);
static_assert(offsetof(NeighbourRequest, k) == 4);
static_assert(offsetof(NeighbourRequest, ids) == 8);
static_assert(offsetof(NeighbourRequest, vectors) == 16);

struct NeighbourResponse {
  static constexpr uint64_t FINGERPRINT = 0x2d3311f78145df5e;
  static constexpr uint32_t MAX_BYTES = 832;

  Outcome outcome;
  int32_t size;
  ringkernel::Array<int32_t, 100, 8> ids;
  ringkernel::Array<float, 100, 16> distances;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(outcome), 3) && message.holds(ids) &&
           message.holds(distances);
  }
};

static_assert(sizeof(NeighbourResponse) == 24);
static_assert(offsetof(NeighbourResponse, outcome) == 0);
static_assert(offsetof(NeighbourResponse, size) == 4);
static_assert(offsetof(NeighbourResponse, ids) == 8);
static_assert(offsetof(NeighbourResponse, distances) == 16);
