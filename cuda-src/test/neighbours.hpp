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
enum Outcome : int32_t { DONE, FULL, UNKNOWN_ID };

using Vector = std::vector<float>;
using Found = std::vector<std::pair<float, int32_t>>;

inline Vector randomVector(std::mt19937& random, uint32_t dimensions) {
  Vector vector(dimensions);
  for (float& element : vector) {
    element = static_cast<float>(random() % 4);
  }
  return vector;
}

inline std::vector<uint8_t> request(Operation operation, int32_t k, const std::vector<int32_t>& ids,
                                    const Vector& vectors) {
  uint32_t idsAt = 32;
  uint32_t idsEnd = ids.empty() ? 24 : idsAt + 4 * ids.size();
  uint32_t vectorsAt = ringkernel::aligned(idsEnd, 16);
  uint32_t end = vectors.empty() ? idsEnd : vectorsAt + 4 * vectors.size();
  std::vector<uint8_t> message(end);
  uint32_t fixed[] = {static_cast<uint32_t>(operation), static_cast<uint32_t>(k),
                      ids.empty() ? 0 : idsAt,          static_cast<uint32_t>(ids.size()),
                      vectors.empty() ? 0 : vectorsAt,  static_cast<uint32_t>(vectors.size())};
  memcpy(message.data(), fixed, sizeof(fixed));
  if (!ids.empty()) {
    memcpy(&message[idsAt], ids.data(), 4 * ids.size());
  }
  if (!vectors.empty()) {
    memcpy(&message[vectorsAt], vectors.data(), 4 * vectors.size());
  }
  return message;
}

struct Response {
  host::Reply reply;
  int32_t outcome;
  int32_t size;
  Found found;
};

inline Response parse(const host::Reply& reply, const std::vector<uint8_t>& message) {
  Response response = {reply, -1, -1, {}};
  if (reply.kind == ringkernel::ResponseKind::ANSWER) {
    uint32_t fixed[6];
    memcpy(fixed, message.data(), sizeof(fixed));
    response.outcome = static_cast<int32_t>(fixed[0]);
    response.size = static_cast<int32_t>(fixed[1]);
    for (uint32_t i = 0; i < fixed[3]; i++) {
      int32_t id;
      float distance;
      memcpy(&id, &message.at(fixed[2] + 4 * i), 4);
      memcpy(&distance, &message.at(fixed[4] + 4 * i), 4);
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
