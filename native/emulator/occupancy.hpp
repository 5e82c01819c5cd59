// What a multiprocessor holds: the numbers of compute capability 9.0.
#pragma once

#include <algorithm>
#include <cstdint>

namespace emulator {

constexpr int MAX_THREADS_PER_BLOCK = 1024;
constexpr int MAX_THREADS_PER_MULTIPROCESSOR = 2048;
constexpr int MAX_BLOCKS_PER_MULTIPROCESSOR = 32;
constexpr int REGISTERS_PER_MULTIPROCESSOR = 65536;
constexpr int SHARED_BYTES_PER_MULTIPROCESSOR = 228 * 1024;
constexpr int MAX_SHARED_BYTES_PER_BLOCK = 227 * 1024;
constexpr int DEFAULT_SHARED_BYTES_PER_BLOCK = 48 * 1024;
constexpr int RESERVED_SHARED_BYTES_PER_BLOCK = 1024;
constexpr int WARP = 32;

inline int blocksPerMultiprocessor(int threads, int registersPerThread, int sharedBytes) {
  int rounded = (threads + WARP - 1) / WARP * WARP;
  int byThreads = MAX_THREADS_PER_MULTIPROCESSOR / rounded;
  int byRegisters = REGISTERS_PER_MULTIPROCESSOR / (registersPerThread * rounded);
  int byShared = SHARED_BYTES_PER_MULTIPROCESSOR / (sharedBytes + RESERVED_SHARED_BYTES_PER_BLOCK);
  return std::min({MAX_BLOCKS_PER_MULTIPROCESSOR, byThreads, byRegisters, byShared});
}

}  // namespace emulator
