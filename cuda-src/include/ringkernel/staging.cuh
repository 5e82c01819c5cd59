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
    uint32_t begin = 0;
    uint32_t end = wholeUnits(available, length);
#pragma unroll 1
    while (true) {
      copyFromHost(target_, source, begin, end, crew_);
      crew_.sync();
      if (end == length) {
        machine::hasRead(source);
        return RequestState::PRESENT;
      }
      begin = end;
      if (crew_.isFirstWarp()) {
        awaitMore(place, length, begin, waits);
      }
      crew_.sync();
      if (part_.state != RequestState::PRESENT) {
        return part_.state;
      }
      end = part_.end;
    }
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

  /** Waits for more of a request than so many bytes; called by the first warp. */
  template <typename Waits>
  __device__ void awaitMore(Place place, uint32_t length, uint32_t begin, Waits waits) {
    uint32_t lane = crew_.thread();
    Part part;
    bool mayWait = true;
#pragma unroll 1
    while (true) {
      Arrival arrival = ring_.lookAhead(place, lane);
      part = {arrival.state, wholeUnits(arrival.bytes, length)};
      if (part.state == RequestState::WITHDRAWN || part.end > begin) {
        break;
      }
      if (!mayWait) {
        part.state = RequestState::ABSENT;
        break;
      }
      mayWait = waits(lane);
    }
    ring_.acquireRequest();
    if (lane == 0) {
      part_ = part;
    }
  }
};

}  // namespace ringkernel
