// Checks a request before its handler sees it: whatever comes out of a ring is untrusted. The
// counterpart is the reading half of io.ringkernel.message.MessageLayout.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/message.cuh>

namespace ringkernel {

/**
 * The bounds of a message that was received. A message struct has a member
 * `bool valid(Received) const` that asks it about each member that can be wrong. The elements of
 * arrays are not looked at: any bits are a number, and booleans come as bytes there.
 */
class Received {
 public:
  /** @param length of the message, at least that of its fixed block */
  __device__ Received(uint32_t fixedBytes, uint32_t length)
      : fixedBytes_(fixedBytes), length_(length) {}

  /** An array lies within the message, behind the fixed block. */
  template <typename T, uint32_t CAPACITY, uint32_t AT>
  __device__ bool holds(const Array<T, CAPACITY, AT>& array) const {
    // The capacity keeps the product in range, the check of the offset the difference. No operand
    // is skipped: a branch takes longer than all of them.
    return (array.length == 0) |
           ((array.length <= CAPACITY) & (array.offset % PART_ALIGNMENT == 0) &
            (array.offset - fixedBytes_ <= length_ - fixedBytes_) &
            (array.length * sizeof(T) <= length_ - array.offset));
  }

  /** A mark of presence is 0 or 1; the value is checked by the caller, if it is present. */
  template <typename T>
  __device__ bool holds(const Optional<T>& optional) const {
    return optional.present <= 1;
  }

  __device__ bool holds(Boolean value) const { return value.byte <= 1; }

  /** An enum is one of so many constants. */
  __device__ bool holds(int32_t ordinal, uint32_t constants) const {
    return static_cast<uint32_t>(ordinal) < constants;
  }

 private:
  uint32_t fixedBytes_;
  uint32_t length_;
};

/** Whether a message that came out of the ring may be believed. */
template <typename Request>
__device__ bool accepts(const void* message, uint32_t length) {
  return length >= sizeof(Request) && length <= Request::MAX_BYTES &&
         static_cast<const Request*>(message)->valid(Received(sizeof(Request), length));
}

}  // namespace ringkernel
