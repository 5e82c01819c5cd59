// The device's half of a ring: looks for the request of a position and answers it. The counterpart
// is io.ringkernel.ring.DeviceRing, which is also the specification.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/chunk.cuh>
#include <ringkernel/lap_tag.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

/** What becomes of a request whose payload the host still copies. */
enum class RequestState : uint32_t {
  /** This launch waits for no more of it. */
  ABSENT,
  /** To be answered. */
  PRESENT,
  /** It needs no work, but an answer all the same. */
  WITHDRAWN
};

/**
 * One look of a warp at a position. All lanes agree on all but the chunks: each has its column.
 * What it has found is no enumeration: the compiler would look up where to go on in a table.
 */
struct Look {
  /** Whether there is a request. */
  bool isThere;
  /** That it needs no work, but an answer all the same. */
  bool isWithdrawn;
  /** Whether there is none, and none will come: the worker goes on with the next position. */
  bool isSkipped;
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
    look.isWithdrawn = false;
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
      look.isThere = agree(look, place, lane);
      if (look.isThere && !look.isWithdrawn && spansRows(look.length)) {
        lacksRows = !withAllRows;
        withAllRows = true;
        look.isThere = !lacksRows && isWhole(look, place, lane);
      }
    } while (!look.isThere && (lacksRows || --looks != 0));
    look.isSkipped = false;
    if (!look.isThere) {
      // The host claims a slot again only when it is done with the lap before.
      uint32_t found = look.rows[0].tag();
      bool isLater = found != LapTag::NONE && LapTag::isLater(found, place.tag);
      look.isSkipped =
          __any_sync(machine::ALL_LANES, lane == 0 && (isLater || contains(range, place.tag)));
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
   * the same time. Threads behind the first warp read nothing: it may clear the message already.
   * @param message where a message lies that travels inside its slot
   */
  __device__ Reply collect(Place place, uint32_t lane, const uint32_t* message) const {
    uint32_t chunks = shape_.responseRows() > 1 ? ROW_CHUNKS - 1 : shape_.responseInlineChunks();
    bool holds = lane - 1 < chunks;
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
    if (isOf(length, lane)) {
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
   * Agrees on what was seen in the first row, and whether that is a request. Lanes that read no
   * chunk hold tag NONE, which matches none. Where the header is not there, its lane lacks it
   * whatever the length.
   */
  __device__ bool agree(Look& look, Place place, uint32_t lane) const {
    const Chunk& chunk = look.rows[0];
    look.length = __shfl_sync(machine::ALL_LANES, chunk.length(), 0);
    // A length that cannot be inline has no chunks to wait for, be it valid or not.
    uint32_t inlined = look.length <= shape_.requestInlineBytes() ? look.length : 0;
    bool lacksOne = isOf(inlined, lane) && chunk.tag() != place.tag;
    if (__any_sync(machine::ALL_LANES, lacksOne)) {
      return false;
    }
    if (shape_.hasPayload(look.length)) {
      look.available = progress(chunk, place);
    }
    bool isWithdrawn = static_cast<MessageKind>(chunk.kind()) == MessageKind::WITHDRAWN;
    look.isWithdrawn = __any_sync(machine::ALL_LANES, lane == 0 && isWithdrawn);
    return true;
  }

  /**
   * Whether a lane has a part of the first row of a message: lanes 0 to dataChunks(length), without
   * the division.
   */
  __device__ static bool isOf(uint32_t length, uint32_t lane) {
    return lane * CHUNK_DATA_BYTES < length + CHUNK_DATA_BYTES;
  }

  /** Whether the skipped laps, {first tag, last tag}, contain a tag; an empty range has none. */
  __device__ static bool contains(uint64_t range, uint32_t tag) {
    return !LapTag::isLater(static_cast<uint32_t>(range), tag) &&
           !LapTag::isLater(tag, static_cast<uint32_t>(range >> 32));
  }
};

}  // namespace ringkernel
