// Copies a large request into device memory, behind the host that copies it into its payload: the
// bus carries the parts that are there while the host makes the others.
#pragma once

#include <ringkernel/context.cuh>
#include <ringkernel/copy.cuh>
#include <ringkernel/ring.cuh>

namespace ringkernel {

/** How far a request is that arrives in parts. */
struct Part {
  /** PRESENT; WITHDRAWN if no more will come; ABSENT if this launch does not wait for more. */
  RequestState state;
  /** Behind the last byte that can be copied. */
  uint32_t end;
};

template <typename Shape>
class RequestStaging {
 public:
  /**
   * @param part in shared memory, for this alone
   * @param target device memory for the largest request
   */
  __device__ RequestStaging(const Ring<Shape>& ring, const Crew& crew, Part& part, uint8_t* target)
      : ring_(ring), crew_(crew), part_(part), target_(target) {}

  /**
   * Copies a request whose header was found; called by all threads of the worker, who agree on what
   * comes of it. That it is read from the bus before the response lets the host write the slot
   * again needs no fence: its words have arrived when the barrier behind their stores is passed.
   * @param available how many of its bytes are there, as the host states it
   * @param waits called by the lanes of the first warp between looks: whether to wait for more
   * @return PRESENT if it was copied in whole; otherwise as Part says
   */
  template <typename Waits>
  __device__ RequestState copy(Place place, uint32_t length, uint32_t available, Waits waits) {
    const uint8_t* source = ring_.requestPayload(place);
    Part part = {RequestState::PRESENT, wholeUnits(available, length)};
    bool looks = part.end < length && crew_.isFirstWarp();
    bool tells = part.end < length && !crew_.isOneWarp();
    if (tells) {
      if (crew_.thread() == 0) {
        part_ = part;
      }
      crew_.sync();
    }
#pragma unroll 1
    while (looks && part.state == RequestState::PRESENT && part.end < length) {
      lookAhead(place, length, part, waits);
      if (tells && crew_.thread() == 0) {
        machine::poke(part_.state, part.state);
        // What this warp has acquired is passed on.
        machine::tell(part_.end, part.end);
      }
    }
    if (!looks || !tells) {
      copyBehind(source, length, part, tells ? crew_.withoutFirstWarp() : crew_);
    }
    crew_.sync();
    if (tells) {
      part.state = machine::peek(part_.state);
    }
    if (part.state == RequestState::PRESENT) {
      machine::hasRead(source);
    }
    return part.state;
  }

 private:
  const Ring<Shape>& ring_;
  Crew crew_;
  Part& part_;
  uint8_t* target_;

  /** How much of a request can be copied: whole units, except for its end. */
  __device__ static uint32_t wholeUnits(uint32_t available, uint32_t length) {
    return available < length ? available / UNIT * UNIT : length;
  }

  /**
   * Copies units as soon as they are there, until no more will come.
   */
  __device__ void copyBehind(const uint8_t* source, uint32_t length, Part part, const Crew& crew) {
    copyUnits<true>(
        length, crew,
        [&](uint32_t at) {
          // The lanes of a warp load their units together, and so wait for the last of these. A
          // unit behind them may join.
          uint32_t end = (at / WARP_BYTES + 1) * WARP_BYTES;
          end = end < length ? end : length;
#pragma unroll 1
          while (part.end < end && part.state == RequestState::PRESENT) {
            machine::pause(PAUSE_NANOS);
            part.end = machine::hear(part_.end);
            part.state = machine::peek(part_.state);
          }
          return part.state == RequestState::PRESENT;
        },
        [source](uint32_t at) { return machine::loadWords(source + at); },
        [this](uint32_t at, const uint4& unit) { *reinterpret_cast<uint4*>(target_ + at) = unit; });
  }

  static constexpr uint32_t WARP_BYTES = machine::WARP * UNIT;

  /** For so long a warp leaves the multiprocessor to the others before it hears of more. */
  static constexpr uint32_t PAUSE_NANOS = 32;

  /** Looks once whether there is more of a request; called by the lanes of a warp. */
  template <typename Waits>
  __device__ void lookAhead(Place place, uint32_t length, Part& part, Waits waits) {
    uint32_t lane = crew_.thread();
    Arrival arrival = ring_.lookAhead(place, lane);
    uint32_t end = wholeUnits(arrival.bytes, length);
    if (arrival.state == RequestState::WITHDRAWN) {
      part.state = RequestState::WITHDRAWN;
    } else if (end > part.end) {
      part.end = end;
    } else if (!waits(lane)) {
      part.state = RequestState::ABSENT;
    }
  }
};

}  // namespace ringkernel
