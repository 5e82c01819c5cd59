// The device's half of a ring: looks for the request of a position and answers it. The counterpart
// is io.ringkernel.ring.DeviceRing, which is also the specification.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/chunk.cuh>
#include <ringkernel/lap_tag.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

/** What a worker finds at a position. */
enum class RequestState : uint32_t {
  /** Nothing yet. */
  ABSENT,
  /** A request, to be answered. */
  PRESENT,
  /** A request that needs no work, but an answer all the same. */
  WITHDRAWN,
  /** Nothing, and nothing will come: go on with the next position. */
  VOID
};

/** One look of a warp at a position. All lanes agree on all but the chunk, of which each has one.
 */
struct Look {
  RequestState state;
  uint32_t length;
  Chunk chunk;
};

/**
 * Where a position lies: its slot and the tag of its lap.
 */
struct Place {
  uint32_t slot;
  uint32_t tag;
};

/**
 * A view of the ring over the identity, which lies in shared memory: registers are for handlers.
 *
 * @tparam REQUEST_INLINE the largest request that travels inside a slot
 * @tparam RESPONSE_INLINE the same of responses
 */
template <uint32_t REQUEST_INLINE, uint32_t RESPONSE_INLINE>
class Ring {
 public:
  __device__ Ring(uint8_t* memory, const Identity& identity)
      : memory_(memory), identity_(identity) {}

  __device__ Place place(uint64_t position) const {
    uint32_t mask = identity_.slots - 1;
    return {static_cast<uint32_t>(position) & mask, LapTag::of(position, __popc(mask))};
  }

  /**
   * Looks at a position: one read of the bus for a small message, whether it is there or not.
   *
   * The void range is read at the same time, not after, where it is asked for. So a request can be
   * found present that is withdrawn just now, which is as if it had been withdrawn too late. The
   * other way round needs care: a position is void only if its request is absent in a look after it
   * was found in the range, since a request is published before it is withdrawn. The fence between
   * the two looks pairs with the release of io.ringkernel.ring.VoidRanges.add.
   */
  __device__ Look look(Place place, uint32_t lane, bool withVoidRange) const {
    uint64_t range = 0;
    Look look = glance(place, lane);
    if (withVoidRange) {
      if (lane == 0) {
        range =
            machine::loadLong(memory_ + identity_.voidRangesOffset + place.slot * sizeof(uint64_t));
      }
    }
    settle(look, place, lane);
    if (withVoidRange && __any_sync(machine::ALL_LANES, contains(range, place.tag))) {
      if (look.state != RequestState::PRESENT) {
        machine::fenceSystem();
        look = glance(place, lane);
        settle(look, place, lane);
      }
      look.state =
          look.state == RequestState::PRESENT ? RequestState::WITHDRAWN : RequestState::VOID;
    }
    return look;
  }

  /**
   * Orders the payload of a large request behind its header. The header was found by a relaxed
   * load; the fence makes it an acquire, which pairs with the release store of the header in
   * io.ringkernel.ring.RingLane.publish, after which the payload is there. Called by the thread
   * that has loaded the header, before a barrier with those that load the payload.
   */
  __device__ static void acquirePayload() { machine::fenceSystem(); }

  __device__ const uint8_t* requestPayload(Place place) const {
    return payload(identity_.requests, place);
  }

  __device__ uint8_t* responsePayload(Place place) const {
    return payload(identity_.responses, place);
  }

  /** Stores a response that travels inside its slot; called by the lanes of one warp. */
  __device__ void answer(Place place, uint32_t lane, uint32_t length, ResponseKind kind,
                         uint32_t detail, const uint32_t* message) const {
    // No fence: each chunk has its own tag, and the host reads none of a lap before its header.
    if (lane <= dataChunks(length)) {
      Chunk chunk = lane == 0 ? Chunk::header(length, kind, detail, place.tag)
                              : Chunk::pack(message + (lane - 1) * 3, place.tag);
      chunk.store(slot(identity_.responses, place) + lane * CHUNK_BYTES);
    }
  }

  /**
   * Stores the header of a large response; called by one thread, after a barrier that follows the
   * stores of the payload by all threads. The fence is cumulative over that barrier, so the header
   * releases the payload; it pairs with the acquire load of the header's tag in
   * io.ringkernel.ring.RingLane.isComplete.
   */
  __device__ void answerLarge(Place place, uint32_t length) const {
    machine::fenceSystem();
    Chunk::header(length, ResponseKind::ANSWER, 0, place.tag)
        .store(slot(identity_.responses, place));
  }

 private:
  static constexpr uint32_t REQUEST_CHUNKS = 1 + dataChunks(REQUEST_INLINE);

  uint8_t* memory_;
  const Identity& identity_;

  __device__ uint8_t* slot(const LaneLayout& lane, Place place) const {
    return memory_ + (lane.slotsOffset + place.slot * lane.slotStride);
  }

  __device__ uint8_t* payload(const LaneLayout& lane, Place place) const {
    return memory_ + (lane.payloadsOffset + place.slot * lane.payloadStride);
  }

  __device__ Look glance(Place place, uint32_t lane) const {
    Look look;
    look.state = RequestState::ABSENT;
    look.length = 0;
    if (lane < REQUEST_CHUNKS) {
      look.chunk = Chunk::load(slot(identity_.requests, place) + lane * CHUNK_BYTES);
    }
    return look;
  }

  /** Agrees on what was seen. Lanes that read no chunk hold tag NONE, which matches none. */
  __device__ void settle(Look& look, Place place, uint32_t lane) const {
    uint32_t found = look.chunk.tag();
    uint32_t matching = __ballot_sync(machine::ALL_LANES, found == place.tag);
    if (matching & 1) {
      look.length = __shfl_sync(machine::ALL_LANES, look.chunk.length(), 0);
      // A length that cannot be inline has no chunks to wait for, be it valid or not.
      uint32_t chunks = look.length <= REQUEST_INLINE ? dataChunks(look.length) : 0;
      uint32_t needed = machine::ALL_LANES >> (31 - chunks);
      if ((matching & needed) == needed) {
        look.state = RequestState::PRESENT;
      }
    }
    // The host claims a slot again only when it is done with the lap before.
    else if (__any_sync(machine::ALL_LANES,
                        lane == 0 && found != LapTag::NONE && LapTag::isLater(found, place.tag))) {
      look.state = RequestState::VOID;
    }
  }

  /** Whether a void range, {first tag, last tag}, contains a tag; an empty one contains none. */
  __device__ static bool contains(uint64_t range, uint32_t tag) {
    return !LapTag::isLater(static_cast<uint32_t>(range), tag) &&
           !LapTag::isLater(tag, static_cast<uint32_t>(range >> 32));
  }
};

}  // namespace ringkernel
