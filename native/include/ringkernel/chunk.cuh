// Twelve bytes of data and the tag of their lap, moved in one 16-byte access: a chunk whose tag
// matches is complete, so that small messages need neither a fence nor a second read.
//
// Pairs with io.ringkernel.ring.RingLane.putChunk, which stores the first word and then, behind a
// release fence, the second, which holds the tag; and with RingLane.headerTag and isComplete, which
// load second words and then pass an acquire fence. One 16-byte access of ours is one sample, or
// one store, of both.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

struct Chunk {
  machine::Pair words;

  __device__ Chunk() : words() {}
  __device__ explicit Chunk(machine::Pair words) : words(words) {}

  __device__ static Chunk of(uint32_t first, uint32_t second, uint32_t third, uint32_t tag) {
    return Chunk(
        {first | static_cast<uint64_t>(second) << 32, third | static_cast<uint64_t>(tag) << 32});
  }

  /** The header of a message. */
  __device__ static Chunk header(uint32_t length, MessageKind kind, uint32_t detail, uint32_t tag) {
    return of(length, static_cast<uint32_t>(kind), detail, tag);
  }

  __device__ static Chunk load(const uint8_t* from) { return Chunk(machine::loadPair(from)); }

  /** The same, ahead of what is read behind it. */
  __device__ static Chunk loadAcquire(const uint8_t* from) {
    return Chunk(machine::loadPairAcquire(from));
  }

  __device__ void store(uint8_t* to) const { machine::storePair(to, words); }

  /** The same of device memory, by which multiprocessors exchange chunks. */
  __device__ static Chunk loadDevice(const Chunk* from) {
    return Chunk(machine::loadDevicePair(from));
  }

  __device__ void storeDevice(Chunk* to) const { machine::storeDevicePair(to, words); }

  __device__ uint32_t tag() const { return static_cast<uint32_t>(words.second >> 32); }

  /** The length that a header states. */
  __device__ uint32_t length() const { return static_cast<uint32_t>(words.first); }

  /** The kind that a header states: of a request, WITHDRAWN or nothing. */
  __device__ uint32_t kind() const { return static_cast<uint32_t>(words.first >> 32); }

  /** Copies the data to or from contiguous memory, whose words are aligned as such only. */
  __device__ void unpack(uint32_t* to) const {
    to[0] = static_cast<uint32_t>(words.first);
    to[1] = static_cast<uint32_t>(words.first >> 32);
    to[2] = static_cast<uint32_t>(words.second);
  }

  __device__ static Chunk pack(const uint32_t* from, uint32_t tag) {
    return of(from[0], from[1], from[2], tag);
  }
};

}  // namespace ringkernel
