// Where the parts of a response go. It is built in shared memory while it is small enough to travel
// inline; the first array with which it is not goes to the worker's device memory, and so does
// every later one. So a response is made of [0, split) in shared and [split, end) in device memory.
// All of it is zero before the handler writes there: equal messages have equal bytes, and no
// response tells of an earlier one what its handler has not written.
//
// An array whose elements are all set at once needs neither: it is not cleared, and once there is
// no room nearby it is written straight to the payload in the host's memory. The bus carries its
// first elements while the handler computes the others. It is not read there.
#pragma once

#include <ringkernel/abi.cuh>

namespace ringkernel {

/** What came of a request; the same for all threads of its worker. */
struct Handled {
  /** DATA; INVALID_REQUEST, if the handler has done nothing; or INVALID_RESPONSE. */
  MessageKind kind;
  /** The size of the response; 0 if there is none. */
  uint32_t length;
  /** From where on it lies in device memory. */
  uint32_t split;
};

static_assert(sizeof(Handled) == 12);

class ResponseBuilder {
 public:
  /** A response that has its fixed block alone. */
  __device__ static Handled begun(uint32_t fixedBytes, uint32_t nearbyBytes) {
    return {MessageKind::DATA, fixedBytes, fixedBytes <= nearbyBytes ? UINT32_MAX : 0};
  }

  /**
   * @param nearby where the message begins in shared memory; equal to distant if its fixed block
   * is too large for that
   * @param distant where the message begins in device memory
   * @param nearbyBytes how much of a message may lie in shared memory; UINT32_MAX if all of any
   * @param maxBytes the largest message
   * @param begun how far it is
   * @param payload where the message goes in the host's memory; null if the handler does not reach
   * that
   */
  __device__ ResponseBuilder(uint8_t* nearby, uint8_t* distant, uint32_t nearbyBytes,
                             uint32_t maxBytes, Handled begun, uint8_t* payload = nullptr)
      : nearby_(nearby),
        distant_(distant),
        payload_(payload),
        nearbyBytes_(nearbyBytes),
        maxBytes_(maxBytes),
        end_(begun.length),
        split_(begun.split),
        valid_(true) {}

  /** What it is once all parts are placed. */
  __device__ Handled finished() const {
    return valid_ ? Handled{MessageKind::DATA, end_, split_}
                  : Handled{MessageKind::INVALID_RESPONSE, 0, 0};
  }

  /** Is what another has made in its place. */
  __device__ Handled finishedBy(Handled other) {
    split_ = other.split;
    return other;
  }

  /**
   * Reserves a part. Decided by selection: a branch takes longer than what it would skip.
   * @param bytes its size; with 0, nothing is reserved
   * @param permitted whether it may be as large as that; if not, the response is invalid
   * @return the offset in the message; 0 if nothing was reserved
   */
  __device__ uint32_t place(uint32_t bytes, bool permitted) {
    uint32_t offset = aligned(end_, PART_ALIGNMENT);
    bool fits = permitted & (bytes <= maxBytes_) & (offset <= maxBytes_ - bytes);
    bool reserves = fits & (bytes != 0);
    valid_ = valid_ & fits;
    end_ = reserves ? offset + bytes : end_;
    split_ = reserves & (end_ > nearbyBytes_) & (offset < split_) ? offset : split_;
    return reserves ? offset : 0;
  }

  /**
   * Has the part that was placed last written straight to the payload, if it is not nearby. Parts
   * that are written there follow each other without another between them.
   * @param offset where it begins; 0 if nothing was reserved
   * @return where it goes
   */
  __device__ uint8_t* expose(uint32_t offset) {
    bool follows = sentEnd_ == 0 || aligned(sentEnd_, PART_ALIGNMENT) == offset;
    bool sends = (payload_ != nullptr) & follows & (offset != 0) & !isNearby(offset);
    sentFrom_ = sends & (sentEnd_ == 0) ? offset : sentFrom_;
    sentEnd_ = sends ? end_ : sentEnd_;
    return sends ? payload_ + offset : at(offset);
  }

  /** From where to where the message is in the payload already. */
  __device__ uint32_t sentFrom() const { return sentFrom_; }
  __device__ uint32_t sentEnd() const { return sentEnd_; }

  /** Where the byte of an offset lies. */
  __device__ uint8_t* at(uint32_t offset) const {
    return (isNearby(offset) ? nearby_ : distant_) + offset;
  }

  __device__ bool isNearby(uint32_t offset) const { return offset < split_; }

  __device__ uint8_t* nearby() const { return nearby_; }
  __device__ uint8_t* distant() const { return distant_; }
  __device__ uint32_t nearbyBytes() const { return nearbyBytes_; }
  __device__ uint32_t maxBytes() const { return maxBytes_; }

  __device__ bool valid() const { return valid_; }
  __device__ uint32_t end() const { return end_; }

 private:
  uint8_t* nearby_;
  uint8_t* distant_;
  uint8_t* payload_;
  uint32_t nearbyBytes_;
  uint32_t maxBytes_;
  uint32_t end_;
  uint32_t split_;
  uint32_t sentFrom_ = 0;
  uint32_t sentEnd_ = 0;
  bool valid_;
};

}  // namespace ringkernel
