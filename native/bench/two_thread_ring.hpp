// The host's half of a ring of small messages of one size, as fast as C++ makes it: one thread
// sends, one receives, positions are neither claimed nor passed over, and nothing is checked. What
// the ring in Java is measured against.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "../test/host_ring.hpp"

namespace measure {

/** @tparam WORDS how many 8-byte words a message has */
template <uint32_t WORDS>
class TwoThreadRing {
 public:
  static constexpr uint32_t BYTES = WORDS * 8;
  static constexpr uint32_t CHUNKS = (BYTES + 11) / 12;

  TwoThreadRing(uint8_t* memory, const host::Layout& layout)
      : requests_(memory + layout.requests.slotsOffset),
        responses_(memory + layout.responses.slotsOffset),
        requestStride_(layout.requests.slotStride),
        responseStride_(layout.responses.slotStride),
        mask_(layout.slots - 1),
        shift_(layout.shift) {}

  /** Called by the sender: the slot of the position is free. */
  void send(uint64_t position, const uint64_t* message) {
    uint8_t* at = requests_ + (position & mask_) * requestStride_;
    uint64_t tag = tagOf(position);
    uint32_t words[CHUNKS * 3] = {};
    memcpy(words, message, BYTES);
    for (uint32_t i = 0; i < CHUNKS; i++) {
      put(at + 16 * (i + 1), words[3 * i] | static_cast<uint64_t>(words[3 * i + 1]) << 32,
          words[3 * i + 2] | tag);
    }
    put(at, BYTES, tag);
  }

  /** Called by the receiver: takes the response of a position if it is there. */
  bool receive(uint64_t position, uint64_t* message) const {
    const uint8_t* at = responses_ + (position & mask_) * responseStride_;
    uint64_t tag = tagOf(position);
    uint32_t words[CHUNKS * 3];
    for (uint32_t i = 0; i <= CHUNKS; i++) {
      uint64_t second = __atomic_load_n(word(at + 16 * i + 8), __ATOMIC_ACQUIRE);
      if ((second ^ tag) >> 32 != 0) {
        return false;
      }
      if (i > 0) {
        uint64_t first = __atomic_load_n(word(at + 16 * i), __ATOMIC_RELAXED);
        words[3 * i - 3] = static_cast<uint32_t>(first);
        words[3 * i - 2] = static_cast<uint32_t>(first >> 32);
        words[3 * i - 1] = static_cast<uint32_t>(second);
      }
    }
    memcpy(message, words, BYTES);
    return true;
  }

 private:
  uint8_t* requests_;
  uint8_t* responses_;
  uint64_t requestStride_;
  uint64_t responseStride_;
  uint64_t mask_;
  uint32_t shift_;

  uint64_t tagOf(uint64_t position) const {
    return static_cast<uint64_t>(static_cast<uint32_t>(position >> shift_) << 1 | 1) << 32;
  }

  static const uint64_t* word(const uint8_t* at) { return reinterpret_cast<const uint64_t*>(at); }

  static void put(uint8_t* at, uint64_t first, uint64_t second) {
    __atomic_store_n(reinterpret_cast<uint64_t*>(at), first, __ATOMIC_RELAXED);
    __atomic_store_n(reinterpret_cast<uint64_t*>(at + 8), second, __ATOMIC_RELEASE);
  }
};

}  // namespace measure
