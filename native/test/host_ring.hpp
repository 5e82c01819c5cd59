// The host's half of a ring in C++, for one thread: what io.ringkernel.ring does in Java, reduced
// to what the tests need of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <ringkernel/abi.cuh>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace host {

using Clock = std::chrono::steady_clock;

/** Bounds every wait. */
class Deadline {
 public:
  explicit Deadline(double seconds)
      : end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

  /** Pauses, or throws if the time is over. */
  void check(const char* what) {
    if ((++rounds_ & 1023) == 0 && Clock::now() > end_) {
      throw std::runtime_error(std::string("timed out: ") + what);
    }
#if defined(SIMT)
    // What plays the device needs the processor.
    if ((rounds_ & 31) == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
#endif
#if defined(__x86_64__)
    _mm_pause();
#endif
  }

 private:
  Clock::time_point end_;
  uint32_t rounds_ = 0;
};

/** Where everything lies; the counterpart of io.ringkernel.ring.RingLayout. */
struct Layout {
  uint32_t slots;
  uint32_t shift;
  uint32_t skippedLaps;
  ringkernel::LaneLayout requests;
  ringkernel::LaneLayout responses;
  uint32_t end;

  Layout(uint32_t base, uint32_t slots, uint32_t maxRequest, uint32_t maxResponse)
      : slots(slots), shift(__builtin_ctz(slots)), skippedLaps(base) {
    requests = lane(base + slots * ringkernel::LINE_BYTES, maxRequest);
    responses = lane(requests.slotsOffset + slots * requests.slotStride, maxResponse);
    requests.payloadsOffset = responses.slotsOffset + slots * responses.slotStride;
    responses.payloadsOffset = requests.payloadsOffset + slots * requests.payloadStride;
    end = responses.payloadsOffset + slots * responses.payloadStride;
  }

 private:
  static uint32_t lines(uint32_t bytes) {
    return ringkernel::aligned(bytes, ringkernel::LINE_BYTES);
  }

  static ringkernel::LaneLayout lane(uint32_t offset, uint32_t maxBytes) {
    uint32_t inlined = ringkernel::inlineBytes(maxBytes);
    return {offset,
            lines((1 + ringkernel::dataChunks(inlined)) * ringkernel::CHUNK_BYTES),
            inlined,
            0,
            maxBytes > inlined ? lines(maxBytes) : 0,
            maxBytes};
  }
};

struct Reply {
  uint32_t length;
  ringkernel::MessageKind kind;
  int32_t detail;
};

class Ring {
 public:
  Ring(uint8_t* memory, const Layout& layout, uint64_t startPosition)
      : memory_(memory),
        layout_(layout),
        head_(startPosition),
        busy_(layout.slots),
        half_(layout.slots, tag(startPosition) >> 31) {}

  uint64_t head() const { return head_; }

  bool canClaim() const { return !busy_[slot(head_)]; }

  /** Claims the next position, whose slot is free. */
  uint64_t claim() {
    if (!canClaim()) {
      throw std::runtime_error("the slot is busy");
    }
    uint64_t position = head_++;
    busy_[slot(position)] = true;
    uint32_t half = tag(position) >> 31;
    if (half_[slot(position)] != half) {
      clear(layout_.requests, slot(position));
      clear(layout_.responses, slot(position));
      store(range(position), 0);
      half_[slot(position)] = half;
    }
    return position;
  }

  void publish(uint64_t position, const void* message, uint32_t length) {
    const ringkernel::LaneLayout& lane = layout_.requests;
    uint8_t* at = memory_ + lane.slotsOffset + slot(position) * lane.slotStride;
    if (length > lane.inlineBytes) {
      publishUpTo(position, message, 0, length);
    } else {
      uint32_t words[ringkernel::MAX_INLINE_BYTES / 4 + 3] = {};
      memcpy(words, message, length);
      for (uint32_t i = 0; i < ringkernel::dataChunks(length); i++) {
        put(at + 16 * (i + 1), words[3 * i] | static_cast<uint64_t>(words[3 * i + 1]) << 32,
            words[3 * i + 2], tag(position));
      }
    }
    put(at, length, 0, tag(position));
  }

  /**
   * Copies [from, to) of a message into its payload, and states that so much of it is there. The
   * first part begins at 0; its header is published before or after.
   */
  void publishUpTo(uint64_t position, const void* message, uint32_t from, uint32_t to) {
    const ringkernel::LaneLayout& lane = layout_.requests;
    if (from == 0) {
      // What the device has read there before: it needs no fence to have read it.
      acquire(payload(lane, position));
    }
    memcpy(payload(lane, position) + from, static_cast<const uint8_t*>(message) + from, to - from);
    uint8_t* progress = memory_ + lane.slotsOffset + slot(position) * lane.slotStride +
                        ringkernel::PROGRESS_CHUNK * ringkernel::CHUNK_BYTES;
    store(progress, to);
    store(progress + 8, static_cast<uint64_t>(tag(position)) << 32);
  }

  /** Publishes a header without what belongs to it: a part comes later, or its length lies. */
  void publishLength(uint64_t position, uint32_t length) {
    const ringkernel::LaneLayout& lane = layout_.requests;
    put(memory_ + lane.slotsOffset + slot(position) * lane.slotStride, length, 0, tag(position));
  }

  /** Declares a position void that was claimed and not published. */
  void retract(uint64_t position) {
    declareSkipped(position);
    release(position);
  }

  /** Asks that a published request is not begun. */
  void withdraw(uint64_t position) {
    uint8_t* header =
        memory_ + layout_.requests.slotsOffset + slot(position) * layout_.requests.slotStride;
    store(header, static_cast<uint32_t>(load(header)) |
                      static_cast<uint64_t>(ringkernel::MessageKind::WITHDRAWN) << 32);
  }

  /** Takes the next position although its slot is busy, and declares it void. */
  void passOver() { declareSkipped(head_++); }

  bool isAnswered(uint64_t position) const {
    const uint8_t* at = responseSlot(position);
    if (load(at + 8) >> 32 != tag(position)) {
      return false;
    }
    uint32_t length = load(at);
    if (length > layout_.responses.inlineBytes && length <= layout_.responses.maxBytes) {
      const uint8_t* progress = at + ringkernel::PROGRESS_CHUNK * ringkernel::CHUNK_BYTES;
      return load(progress + 8) >> 32 == tag(position) && load(progress) == length;
    }
    uint32_t chunks = length <= layout_.responses.inlineBytes ? ringkernel::dataChunks(length) : 0;
    for (uint32_t i = 1; i <= chunks; i++) {
      if (load(at + 16 * i + 8) >> 32 != tag(position)) {
        return false;
      }
    }
    return true;
  }

  /** Copies an answered response, which has no more than the given bytes. */
  Reply read(uint64_t position, void* message, uint32_t capacity) const {
    const uint8_t* at = responseSlot(position);
    uint64_t first = load(at);
    Reply reply = {static_cast<uint32_t>(first), static_cast<ringkernel::MessageKind>(first >> 32),
                   static_cast<int32_t>(load(at + 8))};
    if (reply.length > capacity) {
      throw std::runtime_error("a response of " + std::to_string(reply.length) + " B");
    }
    if (reply.length > layout_.responses.inlineBytes) {
      memcpy(message, payload(layout_.responses, position), reply.length);
      release(payload(layout_.responses, position));
    } else {
      uint32_t words[ringkernel::MAX_INLINE_BYTES / 4 + 3];
      for (uint32_t i = 0; i < ringkernel::dataChunks(reply.length); i++) {
        uint64_t low = load(at + 16 * (i + 1));
        words[3 * i] = static_cast<uint32_t>(low);
        words[3 * i + 1] = static_cast<uint32_t>(low >> 32);
        words[3 * i + 2] = static_cast<uint32_t>(load(at + 16 * (i + 1) + 8));
      }
      memcpy(message, words, reply.length);
    }
    return reply;
  }

  /** Gives the slot of a position back. */
  void release(uint64_t position) { busy_[slot(position)] = false; }

 private:
  uint8_t* memory_;
  Layout layout_;
  uint64_t head_;
  std::vector<bool> busy_;
  std::vector<uint32_t> half_;

  /** For a detector of races: pairs with ringkernel::machine::hasRead and mayWrite. */
  static void acquire([[maybe_unused]] const void* payload) {
#if defined(__SANITIZE_THREAD__)
    __tsan_acquire(const_cast<void*>(payload));
#endif
  }

  static void release([[maybe_unused]] const void* payload) {
#if defined(__SANITIZE_THREAD__)
    __tsan_release(const_cast<void*>(payload));
#endif
  }

  uint32_t slot(uint64_t position) const {
    return position & (layout_.slots - 1);
  }

  uint32_t tag(uint64_t position) const {
    return static_cast<uint32_t>(position >> layout_.shift) << 1 | 1;
  }

  uint8_t* payload(const ringkernel::LaneLayout& lane, uint64_t position) const {
    return memory_ + lane.payloadsOffset +
           static_cast<uint64_t>(slot(position)) * lane.payloadStride;
  }

  const uint8_t* responseSlot(uint64_t position) const {
    return memory_ + layout_.responses.slotsOffset + slot(position) * layout_.responses.slotStride;
  }

  uint8_t* range(uint64_t position) const {
    return memory_ + layout_.skippedLaps + slot(position) * ringkernel::LINE_BYTES;
  }

  void declareSkipped(uint64_t position) {
    uint64_t now = load(range(position));
    uint32_t first = static_cast<uint32_t>(now);
    uint32_t last = static_cast<uint32_t>(now >> 32);
    uint32_t lap = tag(position);
    if (last + 2 != lap) {
      first = lap;
    }
    store(range(position), first | static_cast<uint64_t>(lap) << 32);
  }

  void clear(const ringkernel::LaneLayout& lane, uint32_t slot) {
    uint8_t* at = memory_ + lane.slotsOffset + slot * lane.slotStride;
    for (uint32_t i = 0; i < 1 + ringkernel::dataChunks(lane.inlineBytes); i++) {
      put(at + 16 * i, 0, 0, 0);
    }
  }

  /** A chunk: the first word, then, with release, the one with the tag. */
  static void put(uint8_t* at, uint64_t first, uint32_t third, uint32_t tag) {
    __atomic_store_n(reinterpret_cast<uint64_t*>(at), first, __ATOMIC_RELAXED);
    store(at + 8, third | static_cast<uint64_t>(tag) << 32);
  }

  static void store(uint8_t* at, uint64_t word) {
    __atomic_store_n(reinterpret_cast<uint64_t*>(at), word, __ATOMIC_RELEASE);
  }

  static uint64_t load(const uint8_t* at) {
    return __atomic_load_n(reinterpret_cast<const uint64_t*>(at), __ATOMIC_ACQUIRE);
  }
};

}  // namespace host
