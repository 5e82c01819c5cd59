// Copies a large request into device memory, part by part behind the host that copies it into its
// payload: the bus carries the parts that are there while the host makes the others.
#pragma once

#include <ringkernel/context.cuh>
#include <ringkernel/copy.cuh>
#include <ringkernel/ring.cuh>

namespace ringkernel {

/** What the first warp tells the others of a request that arrives in parts. */
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
   * @param parts in shared memory, for this alone
   * @param target device memory for the largest request
   */
  __device__ RequestStaging(const Ring<Shape>& ring, const Crew& crew, Part* parts, uint8_t* target)
      : ring_(ring), crew_(crew), parts_(parts), target_(target) {}

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
    uint32_t begin = 0;
    uint32_t end = wholeUnits(available, length);
    // Two by turns: a warp may still read the one while the first writes the other.
    uint32_t turn = 0;
#pragma unroll 1
    while (true) {
      bool isLast = end == length;
      if (!isLast && crew_.isFirstWarp()) {
        // The others copy what is there meanwhile.
        awaitMore(place, length, end, begin == end, parts_[turn], waits);
      }
      copyFromHost(target_, source, begin, end, crew_);
      crew_.sync();
      if (isLast) {
        machine::hasRead(source);
        return RequestState::PRESENT;
      }
      Part part = parts_[turn];
      if (part.state != RequestState::PRESENT) {
        return part.state;
      }
      begin = end;
      end = part.end;
      turn ^= 1;
    }
  }

 private:
  const Ring<Shape>& ring_;
  Crew crew_;
  Part* parts_;
  uint8_t* target_;

  /** How much of a request can be copied: whole units, except for its end. */
  __device__ static uint32_t wholeUnits(uint32_t available, uint32_t length) {
    return available < length ? available / UNIT * UNIT : length;
  }

  /**
   * Looks for more of a request than so many bytes, and waits for it if there is nothing else to
   * do; called by the first warp.
   * @param mustWait whether to wait; if not, there may be no more
   */
  template <typename Waits>
  __device__ void awaitMore(Place place, uint32_t length, uint32_t begin, bool mustWait, Part& part,
                            Waits waits) {
    uint32_t lane = crew_.thread();
    Part found;
#pragma unroll 1
    while (true) {
      Arrival arrival = ring_.lookAhead(place, lane);
      uint32_t end = wholeUnits(arrival.bytes, length);
      found = {arrival.state, end > begin ? end : begin};
      if (found.state == RequestState::WITHDRAWN || end > begin || !mustWait) {
        break;
      }
      if (!waits(lane)) {
        found.state = RequestState::ABSENT;
        break;
      }
    }
    if (lane == 0) {
      part = found;
    }
  }
};

}  // namespace ringkernel
