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
  SKIPPED
};

/** One look of a warp at a position. All lanes agree on all but the chunks: each has its column. */
struct Look {
  RequestState state;
  uint32_t length;
  /** Of a request in a payload: how many bytes of it are there. */
  uint32_t available;
  Chunk rows[MAX_ROWS];
};

/** How far a request in a payload has come; all lanes agree. */
struct Arrival {
  RequestState state;
  uint32_t bytes;
};

/**
 * Where a position lies: its slot and the tag of its lap.
 */
struct Place {
  uint32_t slot;
  uint32_t tag;
};

/** What storing a response takes, as one lane of a warp has it. */
struct Reply {
  /** Where its slot lies, from the start of the memory. */
  uint32_t slot;
  uint32_t tag;
  /** The lane's part of the first row of a message that travels inside its slot. */
  Chunk chunk;
};

/**
 * A view of the ring over the identity, which lies in shared memory: registers are for handlers.
 *
 * @tparam Shape what is known of the messages
 */
template <typename Shape>
class Ring {
 public:
  __device__ Ring(uint8_t* memory, const Identity& identity, const Shape& shape)
      : memory_(memory), identity_(identity), shape_(shape) {}

  __device__ Place place(uint64_t position) const {
    uint32_t mask = identity_.slots - 1;
    return {static_cast<uint32_t>(position) & mask, LapTag::of(position, __popc(mask))};
  }

  /**
   * Looks at a position until there is a request, at most so often: one read of the bus a look, in
   * as few instructions as can be, since the next look begins when they are done.
   *
   * The word of the slot's skipped laps is read at the same time as the first look, where
   * it is asked for. There is no request at any of them, so nothing needs to be ordered.
   *
   * @param whole whether to read all rows of the slot at once, so that a request of several is
   * there as soon as one of a single row; if not, the others are read behind the first. Only where
   * a slot has several
   * @param acquires whether what a request orders behind itself may be read at once if it is found;
   * if not, behind acquireRequest
   */
  __device__ Look look(Place place, uint32_t lane, uint32_t looks, bool withSkippedLaps, bool whole,
                       bool acquires) const {
    uint64_t range = 0;
    if (withSkippedLaps && lane == 0) {
      range = machine::loadLong(memory_ + identity_.skippedLapsOffset + place.slot * LINE_BYTES);
    }
    const uint8_t* at = memory_ + (slotOffset(identity_.requests, place) + lane * CHUNK_BYTES);
    Look look;
    look.length = 0;
    look.available = 0;
    bool withAllRows = whole;
    bool lacksRows;
    do {
      lacksRows = false;
      // The row of the header last: what is read behind it waits for it.
#pragma unroll
      for (uint32_t row = MAX_ROWS - 1; row > 0; row--) {
        if (withAllRows && lane + row * ROW_CHUNKS <= shape_.requestInlineChunks()) {
          look.rows[row] = Chunk::load(at + row * ROW_CHUNKS * CHUNK_BYTES);
        }
      }
      if (lane <= shape_.requestInlineChunks()) {
        look.rows[0] = acquires ? Chunk::loadAcquire(at) : Chunk::load(at);
      }
      look.state = agree(look, place);
      if (look.state == RequestState::PRESENT && spansRows(look.length)) {
        lacksRows = !withAllRows;
        withAllRows = true;
        if (lacksRows || !isWhole(look, place, lane)) {
          look.state = RequestState::ABSENT;
        }
      }
    } while (look.state == RequestState::ABSENT && (lacksRows || --looks != 0));
    if (look.state == RequestState::ABSENT) {
      // The host claims a slot again only when it is done with the lap before.
      uint32_t found = look.rows[0].tag();
      bool isLater = found != LapTag::NONE && LapTag::isLater(found, place.tag);
      if (__any_sync(machine::ALL_LANES, lane == 0 && (isLater || contains(range, place.tag)))) {
        look.state = RequestState::SKIPPED;
      }
    }
    return look;
  }

  /**
   * Looks how far a request in a payload has come whose header was found; called by a warp. So much
   * of it may be read behind a barrier, or by who hears of it.
   * @return PRESENT, or WITHDRAWN: then no more may come
   */
  __device__ Arrival lookAhead(Place place, uint32_t lane) const {
    Chunk chunk;
    if (lane <= PROGRESS_CHUNK) {
      chunk = Chunk::loadAcquire(memory_ +
                                 (slotOffset(identity_.requests, place) + lane * CHUNK_BYTES));
    }
    auto kind = static_cast<MessageKind>(__shfl_sync(machine::ALL_LANES, chunk.kind(), 0));
    return {kind == MessageKind::WITHDRAWN ? RequestState::WITHDRAWN : RequestState::PRESENT,
            progress(chunk, place)};
  }

  /**
   * Orders what is read behind the header of a request, or behind its progress: the payload of a
   * large one, and the state of the handler. Header and progress were found by relaxed loads; the
   * fence makes them acquires, as a look that acquires does. They pair with the release fences
   * before the same in io.ringkernel.ring.RingLane.publish and publishUpTo: so much of the payload
   * as the progress states is there. Called by the warp that has loaded them, before a barrier with
   * those that read.
   */
  __device__ static void acquireRequest() {
    machine::fenceSystem();
  }

  /**
   * Orders the handler's state before the response: who has seen that and sends another request has
   * it handled by a worker that sees the state. Called by the warp that stores the response, after
   * a barrier with those that have written.
   */
  __device__ static void releaseState() {
    machine::fenceSystem();
  }

  /** Whether a message that is inside its slot needs more rows than the first. */
  __device__ bool spansRows(uint32_t length) const {
    return shape_.requestRows() > 1 && length <= shape_.requestInlineBytes() &&
           rows(dataChunks(length)) > 1;
  }

  __device__ const uint8_t* requestPayload(Place place) const {
    return payload(identity_.requests, place);
  }

  __device__ uint8_t* responsePayload(Place place) const {
    return payload(identity_.responses, place);
  }

  /**
   * Reads what storing a response takes, before it is known what there is to store: that is read at
   * the same time.
   * @param message where a message lies that travels inside its slot
   */
  __device__ Reply collect(Place place, uint32_t lane, const uint32_t* message) const {
    bool holds = lane != 0 && lane <= shape_.responseInlineChunks();
    return {slotOffset(identity_.responses, place), place.tag,
            holds ? Chunk::pack(message + (lane - 1) * CHUNK_WORDS, place.tag) : Chunk()};
  }

  /**
   * Stores a response that travels inside its slot; called by the lanes of one warp.
   * @param message where it lies, of which the reply has the first row
   */
  __device__ void answer(const Reply& reply, uint32_t lane, uint32_t length, MessageKind kind,
                         uint32_t detail, const uint32_t* message) const {
    if (shape_.responseRows() > 1) {
#pragma unroll
      for (uint32_t row = 1; row < MAX_ROWS; row++) {
        uint32_t chunk = lane + row * ROW_CHUNKS;
        if (chunk <= dataChunks(length)) {
          Chunk::pack(message + (chunk - 1) * CHUNK_WORDS, reply.tag)
              .store(memory_ + (reply.slot + chunk * CHUNK_BYTES));
        }
      }
    }
    // No fence: each chunk has its own tag, and the host reads none of a lap before its header.
    // Lanes 0 to dataChunks(length), without the division.
    if (lane * CHUNK_DATA_BYTES < length + CHUNK_DATA_BYTES) {
      Chunk chunk = lane == 0 ? Chunk::header(length, kind, detail, reply.tag) : reply.chunk;
      chunk.store(memory_ + (reply.slot + lane * CHUNK_BYTES));
    }
  }

  /**
   * Stores the header of a large response, all of which is there; called by one thread, after a
   * barrier that follows the stores of the payload by all threads. The fence is cumulative over
   * that barrier, so the header releases the payload; it pairs with the acquire fence behind the
   * header's tag in io.ringkernel.ring.RingLane.isComplete.
   */
  __device__ void answerLarge(const Reply& reply, uint32_t length) const {
    machine::fenceSystem();
    Chunk::of(length, 0, 0, reply.tag).store(memory_ + (reply.slot + PROGRESS_CHUNK * CHUNK_BYTES));
    Chunk::header(length, MessageKind::DATA, 0, reply.tag).store(memory_ + reply.slot);
  }

 private:
  uint8_t* memory_;
  const Identity& identity_;
  Shape shape_;

  __device__ static uint32_t slotOffset(const LaneLayout& lane, Place place) {
    return lane.slotsOffset + place.slot * lane.slotStride;
  }

  __device__ uint8_t* payload(const LaneLayout& lane, Place place) const {
    return memory_ + (lane.payloadsOffset + place.slot * lane.payloadStride);
  }

  /**
   * How many bytes of a message in a payload are there, by the chunk that each lane has of the
   * first row. A progress of another lap says nothing of this one.
   */
  __device__ static uint32_t progress(const Chunk& chunk, Place place) {
    uint32_t tag = __shfl_sync(machine::ALL_LANES, chunk.tag(), PROGRESS_CHUNK);
    uint32_t bytes = __shfl_sync(machine::ALL_LANES, chunk.length(), PROGRESS_CHUNK);
    return tag == place.tag ? bytes : 0;
  }

  /** Whether the rows behind the first have all their chunks. */
  __device__ bool isWhole(const Look& look, Place place, uint32_t lane) const {
    uint32_t chunks = dataChunks(look.length);
    bool lacksOne = false;
#pragma unroll
    for (uint32_t row = 1; row < MAX_ROWS; row++) {
      lacksOne |= lane + row * ROW_CHUNKS <= chunks && look.rows[row].tag() != place.tag;
    }
    return !__any_sync(machine::ALL_LANES, lacksOne);
  }

  /**
   * Agrees on what was seen in the first row. Lanes that read no chunk hold tag NONE, which matches
   * none.
   */
  __device__ RequestState agree(Look& look, Place place) const {
    uint32_t matching = __ballot_sync(machine::ALL_LANES, look.rows[0].tag() == place.tag);
    if ((matching & 1) == 0) {
      return RequestState::ABSENT;
    }
    look.length = __shfl_sync(machine::ALL_LANES, look.rows[0].length(), 0);
    // A length that cannot be inline has no chunks to wait for, be it valid or not.
    uint32_t chunks = look.length <= shape_.requestInlineBytes() ? dataChunks(look.length) : 0;
    uint32_t unused = shape_.requestRows() > 1 && chunks >= ROW_CHUNKS ? 0 : 31 - chunks;
    if ((~matching & (machine::ALL_LANES >> unused)) != 0) {
      return RequestState::ABSENT;
    }
    if (shape_.hasPayload(look.length)) {
      look.available = progress(look.rows[0], place);
    }
    auto kind = static_cast<MessageKind>(__shfl_sync(machine::ALL_LANES, look.rows[0].kind(), 0));
    return kind == MessageKind::WITHDRAWN ? RequestState::WITHDRAWN : RequestState::PRESENT;
  }

  /** Whether the skipped laps, {first tag, last tag}, contain a tag; an empty range has none. */
  __device__ static bool contains(uint64_t range, uint32_t tag) {
    return !LapTag::isLater(static_cast<uint32_t>(range), tag) &&
           !LapTag::isLater(tag, static_cast<uint32_t>(range >> 32));
  }
};

}  // namespace ringkernel
