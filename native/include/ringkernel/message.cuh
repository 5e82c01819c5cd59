// What the members of a message are made of. A message is a C struct, its fixed block, with its
// arrays behind it; the layout is specified by io.ringkernel.message.MessageLayout.
#pragma once

#include <ringkernel/abi.cuh>

namespace ringkernel {

class Context;

/** Some elements in a row. */
template <typename T>
class Span {
 public:
  __device__ Span(T* data, uint32_t size) : data_(data), size_(size) {}

  __device__ uint32_t size() const { return size_; }
  __device__ T* data() const { return data_; }
  __device__ T& operator[](uint32_t index) const { return data_[index]; }
  __device__ T* begin() const { return data_; }
  __device__ T* end() const { return data_ + size_; }

 private:
  T* data_;
  uint32_t size_;
};

/**
 * An array of variable length: the member states where in the message its elements lie.
 *
 * Of a request, it is read like an array. Of a response, it is first given its length by resize,
 * which returns the elements to be written.
 *
 * @tparam T an element
 * @tparam CAPACITY the most elements
 * @tparam AT the offset of this member in the message, from which the message's start follows
 */
template <typename T, uint32_t CAPACITY, uint32_t AT>
struct Array {
  uint32_t offset;
  uint32_t length;

  __device__ uint32_t size() const { return length; }

  __device__ const T* data() const {
    return reinterpret_cast<const T*>(reinterpret_cast<const uint8_t*>(this) - AT + offset);
  }

  __device__ const T& operator[](uint32_t index) const { return data()[index]; }
  __device__ const T* begin() const { return data(); }
  __device__ const T* end() const { return data() + length; }

  /** An array of a response is written through what resize returns. */
  T& operator[](uint32_t index) = delete;

  /**
   * Gives the array its length. Called once, by all threads of the worker, with the same size, and
   * for the arrays of a message in their order. Elements that are not written are zero. A size
   * beyond the capacity gives no elements, and the request is answered as INVALID_RESPONSE.
   */
  __device__ Span<T> resize(Context& context, uint32_t size);

  /**
   * The same for elements that are all written, each once, and not read: nothing clears them, and
   * they may lie in the host's memory. ringkernel::fill(context, array, size, element) does so.
   */
  __device__ Span<T> reserve(Context& context, uint32_t size);
};

/** UTF-8, without a terminating zero. */
template <uint32_t CAPACITY, uint32_t AT>
using String = Array<char, CAPACITY, AT>;

template <typename T>
struct Optional {
  uint32_t present;
  T value;

  __device__ explicit operator bool() const { return present != 0; }

  __device__ void set(const T& to) {
    present = 1;
    value = to;
  }
};

/** A Java boolean: one byte, 0 or 1. */
struct Boolean {
  uint8_t byte;

  __device__ operator bool() const { return byte != 0; }

  __device__ Boolean& operator=(bool value) {
    byte = value ? 1 : 0;
    return *this;
  }
};

}  // namespace ringkernel
