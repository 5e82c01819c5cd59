// Generated from io.ringkernel.spring.ai.search.VectorSearchRequest, io.ringkernel.spring.ai.search.VectorSearchResponse.
// Change the records and generate it anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

enum class SearchOperation : int32_t { RESET, ATTACH, STAGE, RETIRE, QUERY, SELECT, PREPARE, SCAN, NEAREST };

enum class SimilarityMetric : int32_t { COSINE, DOT_PRODUCT, EUCLIDEAN };

enum class ElementType : int32_t { FLOAT32, FLOAT16, INT8 };

struct VectorSearchRequest {
  static constexpr uint64_t FINGERPRINT = 0x2c0e5ada272146f0;
  static constexpr uint32_t MAX_BYTES = 94304;
  static constexpr char LAYOUT[] = R"(VectorSearchRequest: fixed block of 88 bytes, alignment 8, at most 94304 bytes in all
  offset    size  align  component
       0       4      4  operation enum(RESET|ATTACH|STAGE|RETIRE|QUERY|SELECT|PREPARE|SCAN|NEAREST)
       8       8      8  incarnation int64
      16       4      4  epoch int32
      20       4      4  metric enum(COSINE|DOT_PRODUCT|EUCLIDEAN)
      24       4      4  elementType enum(FLOAT32|FLOAT16|INT8)
      28       4      4  dimensions int32
      32       4      4  shard int32
      36       4      4  shards int32
      40       4      4  limit int32
      44       4      4  afterSimilarity float
      48       4      4  afterRow int32
      52       8      4  rows int32[<=1024]
      60       8      4  vectors float[<=16384]
      68       8      4  codes int32[<=2048]
      76       8      4  operands int64[<=2048]
)";

  SearchOperation operation;
  int64_t incarnation;
  int32_t epoch;
  SimilarityMetric metric;
  ElementType elementType;
  int32_t dimensions;
  int32_t shard;
  int32_t shards;
  int32_t limit;
  float afterSimilarity;
  int32_t afterRow;
  ringkernel::Array<int32_t, 1024, 52> rows;
  ringkernel::Array<float, 16384, 60> vectors;
  ringkernel::Array<int32_t, 2048, 68> codes;
  ringkernel::Array<int64_t, 2048, 76> operands;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(operation), 9) &
           message.holds(static_cast<int32_t>(metric), 3) &
           message.holds(static_cast<int32_t>(elementType), 3) &
           message.holds(rows) &
           message.holds(vectors) &
           message.holds(codes) &
           message.holds(operands);
  }
};

static_assert(sizeof(VectorSearchRequest) == 88);
static_assert(offsetof(VectorSearchRequest, operation) == 0);
static_assert(offsetof(VectorSearchRequest, incarnation) == 8);
static_assert(offsetof(VectorSearchRequest, epoch) == 16);
static_assert(offsetof(VectorSearchRequest, metric) == 20);
static_assert(offsetof(VectorSearchRequest, elementType) == 24);
static_assert(offsetof(VectorSearchRequest, dimensions) == 28);
static_assert(offsetof(VectorSearchRequest, shard) == 32);
static_assert(offsetof(VectorSearchRequest, shards) == 36);
static_assert(offsetof(VectorSearchRequest, limit) == 40);
static_assert(offsetof(VectorSearchRequest, afterSimilarity) == 44);
static_assert(offsetof(VectorSearchRequest, afterRow) == 48);
static_assert(offsetof(VectorSearchRequest, rows) == 52);
static_assert(offsetof(VectorSearchRequest, vectors) == 60);
static_assert(offsetof(VectorSearchRequest, codes) == 68);
static_assert(offsetof(VectorSearchRequest, operands) == 76);

enum class SearchOutcome : int32_t { DONE, STALE, UNPROVEN };

struct VectorSearchResponse {
  static constexpr uint64_t FINGERPRINT = 0xe80ae4350203e116;
  static constexpr uint32_t MAX_BYTES = 1056;
  static constexpr char LAYOUT[] = R"(VectorSearchResponse: fixed block of 20 bytes, alignment 4, at most 1056 bytes in all
  offset    size  align  component
       0       4      4  outcome enum(DONE|STALE|UNPROVEN)
       4       8      4  rows int32[<=128]
      12       8      4  similarities float[<=128]
)";

  SearchOutcome outcome;
  ringkernel::Array<int32_t, 128, 4> rows;
  ringkernel::Array<float, 128, 12> similarities;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(static_cast<int32_t>(outcome), 3) &
           message.holds(rows) &
           message.holds(similarities);
  }
};

static_assert(sizeof(VectorSearchResponse) == 20);
static_assert(offsetof(VectorSearchResponse, outcome) == 0);
static_assert(offsetof(VectorSearchResponse, rows) == 4);
static_assert(offsetof(VectorSearchResponse, similarities) == 12);
