// What there is to compare with: the bus itself, and what people write without a ring. The
// addresses are the device's.
#include <cstdint>
#include <ringkernel/machine.cuh>

using namespace ringkernel::machine;

namespace {

/** One writer a line. */
struct alignas(128) Line {
  uint64_t word;
};

constexpr uint64_t DEADLINE_NANOS = 20'000'000'000;

/** Waits for a word to pass a bound; gives up at a deadline, which it rarely looks at. */
__device__ uint64_t awaitBeyond(const Line* line, uint64_t bound) {
  uint64_t start = nanoTime();
  uint64_t word = loadLong(&line->word);
  for (uint32_t looks = 1; word <= bound; looks++) {
    if (looks % 1024 == 0 && nanoTime() - start > DEADLINE_NANOS) {
      return UINT64_MAX;
    }
    word = loadLong(&line->word);
  }
  return word;
}

}  // namespace

/** The floor: returns a flag as soon as it is seen. Ends at the deadline. */
extern "C" __global__ void flag_ping_pong(Line* in, Line* out, uint64_t rounds) {
  for (uint64_t round = 1; round <= rounds; round++) {
    if (awaitBeyond(in, round - 1) == UINT64_MAX) {
      return;
    }
    storePair(out, {round, 0});
  }
}

/** A vector of 16-byte units, copied: the work of a message without any transport. */
extern "C" __global__ void copy_units(const uint4* from, uint4* to, uint32_t units) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < units; i += gridDim.x * blockDim.x) {
    to[i] = from[i];
  }
}

/**
 * Bulk: one block copies whatever was published between the tail it has seen and the new one, over
 * the bus and back. Stops at a tail of all ones, or at the deadline.
 */
extern "C" __global__ void bulk_echo(const Line* published, Line* echoed, const uint8_t* in,
                                     uint8_t* out, uint32_t slots, uint32_t bytes) {
  __shared__ uint64_t shared;
  uint64_t head = 0;
  uint32_t units = bytes / 16;
  while (true) {
    if (threadIdx.x == 0) {
      shared = awaitBeyond(published, head);
      fenceSystem();
    }
    __syncthreads();
    uint64_t tail = shared;
    if (tail == UINT64_MAX) {
      return;
    }
    uint64_t total = (tail - head) * units;
    for (uint64_t i = threadIdx.x; i < total; i += blockDim.x) {
      uint64_t slot = (head + i / units) % slots;
      uint64_t at = slot * bytes + i % units * 16;
      *reinterpret_cast<uint4*>(out + at) = loadWords(in + at);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      fenceSystem();
      storePair(echoed, {tail, 0});
    }
    head = tail;
  }
}

/**
 * The least that a ring of tagged chunks can be: each warp echoes the messages of its own
 * positions, whatever they are, until a word of the host's is not zero. Ends at the deadline as
 * well.
 */
extern "C" __global__ void strided_echo(const Line* stop, const uint8_t* in, uint8_t* out,
                                        uint32_t slots, uint32_t slotBytes, uint32_t chunks) {
  uint64_t start = nanoTime();
  uint32_t lane = threadIdx.x % 32;
  uint32_t warps = gridDim.x * blockDim.x / 32;
  for (uint64_t position = (blockIdx.x * blockDim.x + threadIdx.x) / 32;; position += warps) {
    uint64_t at = position % slots * slotBytes + lane * 16;
    uint32_t tag = static_cast<uint32_t>(position / slots) << 1 | 1;
    Pair chunk = {};
    uint32_t looks = 0;
    do {
      if (lane < chunks) {
        chunk = loadPair(in + at);
      }
      if (++looks % 64 == 0 &&
          (loadLong(&stop->word) != 0 || nanoTime() - start > DEADLINE_NANOS)) {
        return;
      }
    } while (!__all_sync(ALL_LANES, lane >= chunks || chunk.second >> 32 == tag));
    if (lane < chunks) {
      storePair(out + at, chunk);
    }
  }
}

/** What a fence costs that finds nothing, or one store to the bus, to wait for. */
extern "C" __global__ void fence_cycles(Line* host, uint64_t* result, uint32_t rounds) {
  uint64_t empty = 0;
  uint64_t afterStore = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    pause(5000);
    uint64_t start = cycles();
    fenceSystem();
    empty += cycles() - start;
    storePair(host, {i, 0});
    start = cycles();
    fenceSystem();
    afterStore += cycles() - start;
  }
  uint64_t begin = nanoTime();
  uint64_t beginCycles = cycles();
  while (nanoTime() - begin < 1'000'000) {
  }
  result[0] = empty / rounds;
  result[1] = afterStore / rounds;
  result[2] = (cycles() - beginCycles) / 1000;
}
