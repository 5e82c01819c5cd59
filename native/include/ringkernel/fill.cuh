// How a handler sets a whole array by its threads.
#pragma once

#include <ringkernel/message.cuh>

namespace ringkernel {

/** How many elements a thread computes before it stores the first of them. */
constexpr uint32_t ELEMENTS_IN_FLIGHT = 6;

/**
 * Sets each element of an array to what a function says of its index; called by all threads of the
 * worker. The function may read anything but this array.
 *
 * A compiler has to take arrays for overlapping, and so waits for the loads of one element before
 * it stores it and begins the next: 0.4 us each, from memory that the L2 holds. Here the loads of
 * several elements are on their way at once.
 *
 * @param element what the element of an index is: T(uint32_t)
 */
template <typename T, typename Element>
__device__ __forceinline__ void fill(const Context& context, const Span<T>& array,
                                     Element element) {
  uint32_t lanes = context.lanes();
  uint32_t index = context.lane();
#pragma unroll 1
  for (; index + (ELEMENTS_IN_FLIGHT - 1) * lanes < array.size();
       index += ELEMENTS_IN_FLIGHT * lanes) {
    T elements[ELEMENTS_IN_FLIGHT];
#pragma unroll
    for (uint32_t k = 0; k < ELEMENTS_IN_FLIGHT; k++) {
      elements[k] = element(index + k * lanes);
    }
#pragma unroll
    for (uint32_t k = 0; k < ELEMENTS_IN_FLIGHT; k++) {
      array[index + k * lanes] = elements[k];
    }
  }
#pragma unroll 1
  for (; index < array.size(); index += lanes) {
    array[index] = element(index);
  }
}

/**
 * Gives an array of the response its length and sets each of its elements, as the function above
 * does. Nothing clears the array first, and if it is large the bus carries its first elements while
 * others are computed.
 */
template <typename T, uint32_t CAPACITY, uint32_t AT, typename Element>
__device__ __forceinline__ void fill(Context& context, Array<T, CAPACITY, AT>& array, uint32_t size,
                                     Element element) {
  fill(context, array.reserve(context, size), element);
}

}  // namespace ringkernel
