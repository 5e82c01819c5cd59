// Latencies and rates, printed as one JSON object a line.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../test/host_ring.hpp"

namespace measure {

inline double nanosSince(host::Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(host::Clock::now() - start).count();
}

/** Times something again and again, after a warm-up; what prepares a round is not timed. */
template <typename Round, typename Prepare>
std::vector<double> latencies(uint32_t rounds, Round round, Prepare prepare) {
  std::vector<double> nanos;
  nanos.reserve(rounds);
  uint32_t warmUp = rounds / 5;
  for (uint32_t i = 0; i < warmUp + rounds; i++) {
    prepare();
    auto start = host::Clock::now();
    round(i);
    if (i >= warmUp) {
      nanos.push_back(nanosSince(start));
    }
  }
  std::sort(nanos.begin(), nanos.end());
  return nanos;
}

template <typename Round>
std::vector<double> latencies(uint32_t rounds, Round round) {
  return latencies(rounds, round, [] {});
}

inline double percentile(const std::vector<double>& sorted, double fraction) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(sorted.size() * fraction))];
}

inline void printLatency(const std::string& name, const std::vector<double>& sorted) {
  printf("{\"name\":\"%s\",\"p50_ns\":%.0f,\"p90_ns\":%.0f,\"p99_ns\":%.0f,\"p999_ns\":%.0f}\n",
         name.c_str(), percentile(sorted, 0.5), percentile(sorted, 0.9), percentile(sorted, 0.99),
         percentile(sorted, 0.999));
  fflush(stdout);
}

/** @param bytes what each message carries in each direction */
inline void printRate(const std::string& name, double messages, double nanos, double bytes) {
  printf("{\"name\":\"%s\",\"mps\":%.3f,\"gbps\":%.3f}\n", name.c_str(), messages * 1e3 / nanos,
         messages * bytes / nanos);
  fflush(stdout);
}

}  // namespace measure
