// Messages of the nearest-neighbour kernel, and the nearest by sorting everything. Elements are
// small integers, so that every distance is exact and many of them are equal.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "host_ring.hpp"

namespace neighbours {

enum Operation : int32_t { ADD, REMOVE, QUERY, CLEAR, SIZE };
enum Outcome : int32_t { DONE, FULL, UNKNOWN_ID, TOO_LITTLE_MEMORY };

using Vector = std::vector<float>;
using Found = std::vector<std::pair<float, int32_t>>;

inline Vector randomVector(std::mt19937& random, uint32_t dimensions) {
  Vector vector(dimensions);
  for (float& element : vector) {
    element = static_cast<float>(random() % 4);
  }
  return vector;
}

/** A request, with the defaults of what most have in common. */
struct Request {
  Operation operation;
  std::vector<int32_t> ids = {};
  Vector vectors = {};
  int32_t k = 0;
  int32_t shard = 0;
  int32_t shards = 1;
  int32_t capacity = 1000;

  std::vector<uint8_t> message() const {
    uint32_t fixedBytes = 36;
    uint32_t idsAt = 48;
    uint32_t idsEnd = ids.empty() ? fixedBytes : idsAt + 4 * ids.size();
    uint32_t vectorsAt = ringkernel::aligned(idsEnd, 16);
    uint32_t end = vectors.empty() ? idsEnd : vectorsAt + 4 * vectors.size();
    std::vector<uint8_t> message(end);
    uint32_t fixed[] = {static_cast<uint32_t>(operation),     static_cast<uint32_t>(k),
                        static_cast<uint32_t>(shard),         static_cast<uint32_t>(shards),
                        static_cast<uint32_t>(capacity),      ids.empty() ? 0 : idsAt,
                        static_cast<uint32_t>(ids.size()),    vectors.empty() ? 0 : vectorsAt,
                        static_cast<uint32_t>(vectors.size())};
    memcpy(message.data(), fixed, fixedBytes);
    if (!ids.empty()) {
      memcpy(&message[idsAt], ids.data(), 4 * ids.size());
    }
    if (!vectors.empty()) {
      memcpy(&message[vectorsAt], vectors.data(), 4 * vectors.size());
    }
    return message;
  }
};

struct Response {
  host::Reply reply;
  int32_t outcome;
  int32_t size;
  int64_t version;
  Found found;
};

inline Response parse(const host::Reply& reply, const std::vector<uint8_t>& message) {
  Response response = {reply, -1, -1, -1, {}};
  if (reply.kind == ringkernel::MessageKind::DATA) {
    uint32_t fixed[8];
    memcpy(fixed, message.data(), sizeof(fixed));
    response.outcome = static_cast<int32_t>(fixed[0]);
    response.size = static_cast<int32_t>(fixed[1]);
    memcpy(&response.version, &fixed[2], sizeof(response.version));
    for (uint32_t i = 0; i < fixed[5]; i++) {
      int32_t id;
      float distance;
      memcpy(&id, &message.at(fixed[4] + 4 * i), 4);
      memcpy(&distance, &message.at(fixed[6] + 4 * i), 4);
      response.found.emplace_back(distance, id);
    }
  }
  return response;
}

inline Found bruteForce(const std::map<int32_t, Vector>& vectors, const Vector& query, uint32_t k) {
  Found all;
  for (const auto& [id, vector] : vectors) {
    float distance = 0;
    for (size_t i = 0; i < vector.size(); i++) {
      distance += (vector[i] - query[i]) * (vector[i] - query[i]);
    }
    all.emplace_back(distance, id);
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min<size_t>(k, all.size()));
  return all;
}

}  // namespace neighbours
