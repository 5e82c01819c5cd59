// Kernels over frames: the request is an array of elements, and so is the response. One thread of
// the worker handles one element.
#pragma once

#include <ringkernel/message.cuh>

namespace ringkernel {

/** The array that a message consists of. Does not compile for one with other members. */
template <typename Message>
__device__ __forceinline__ auto& elementsOf(Message& message) {
  auto& [elements] = message;
  // Returned by itself, nvcc takes it for a local variable.
  auto* array = &elements;
  return *array;
}

template <typename T, uint32_t CAPACITY, uint32_t AT>
T elementOf(const Array<T, CAPACITY, AT>&);

/** An element of the array that a message consists of. */
template <typename Message>
using Element = decltype(elementOf(elementsOf(*static_cast<Message*>(nullptr))));

/**
 * Has each element of a request handled by one thread of the worker. Neighbouring threads handle
 * neighbouring elements. Elements of the response are zero at first.
 */
template <typename Request, typename Response, typename Handler>
__device__ __forceinline__ void forEach(Context& context, const Request& in, Response& out,
                                        const Handler& handler) {
  const auto& requests = elementsOf(in);
  auto responses = elementsOf(out).resize(context, requests.size());
  // Unrolled, an element takes the registers of several.
#pragma unroll 1
  for (uint32_t i = context.lane(); i < responses.size(); i += context.lanes()) {
    handler(requests[i], responses[i]);
  }
}

}  // namespace ringkernel

/**
 * Defines a kernel that handles the elements of its requests one by one; the parameters and the
 * body of the handler of one element follow:
 *
 *   RING_KERNEL_EACH(quoting, Ticks, Quotes)
 *   (Context ctx, const Tick& in, Quote& out) { out.price = in.price; }
 *
 * Threads handle different elements, and some of them none: the body neither calls ctx.sync() nor
 * ctx.meetAll(). ctx.fail() fails the whole request.
 */
#define RING_KERNEL_EACH(NAME, REQUEST, RESPONSE, ...)                            \
  static __device__ void NAME##_each(ringkernel::Context ctx,                     \
                                     const ringkernel::Element<REQUEST>& in,      \
                                     ringkernel::Element<RESPONSE>& out);         \
  RING_KERNEL(NAME, REQUEST, RESPONSE, __VA_ARGS__)                               \
  (ringkernel::Context ctx, const REQUEST& in, RESPONSE& out) {                   \
    ringkernel::forEach(ctx, in, out, [&ctx](const auto& element, auto& answer) { \
      NAME##_each(ctx, element, answer);                                          \
    });                                                                           \
  }                                                                               \
  static __device__ __forceinline__ void NAME##_each
