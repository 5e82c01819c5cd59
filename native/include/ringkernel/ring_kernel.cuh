// What a user includes. A kernel is one function that handles one request:
//
//   #include <ringkernel/ring_kernel.cuh>
//   #include "vector_add_messages.cuh"
//
//   RING_KERNEL(vector_add, VectorAddRequest, VectorAddResponse)
//   (Context ctx, const VectorAddRequest& in, VectorAddResponse& out) {
//     fill(ctx, out.sum, in.a.size(), [&in](uint32_t i) { return in.a[i] + in.b[i]; });
//   }
//
// It is called by all threads of a worker, each with its own lane. A state that outlives a request
// is named as fourth: RING_KERNEL(counter, Request, Response, State), and reached by
// ctx.state<State>(). It can be followed by as much memory as is configured: ctx.stateBytes().
//
// Where one request is work for the whole kernel, the workers that wait for another one can assist:
// RING_KERNEL_ASSISTED.
//
// A kernel whose messages are frames is one function that handles one element: RING_KERNEL_EACH.
//
// A kernel is compiled with its messages. With RINGKERNEL_ERASED it is compiled without: a launch
// tells their shape. With RINGKERNEL_HANDLER the handler alone is compiled, to be linked with the
// worker that is compiled without messages.
#pragma once

#ifdef RINGKERNEL_HANDLER
#include <ringkernel/handler.cuh>
#else
#include <ringkernel/entry.cuh>
#endif
#include <ringkernel/each.cuh>
#include <ringkernel/fill.cuh>

namespace ringkernel {

/** The bytes of a handler's state. */
template <typename... State>
constexpr uint64_t stateBytes() {
  return (0 + ... + sizeof(State));
}

}  // namespace ringkernel

/** Defines a kernel; the parameters and the body of its handler follow. */
#define RING_KERNEL(NAME, REQUEST, RESPONSE, ...)          \
  RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, false, false, \
                    (ringkernel::stateBytes<__VA_ARGS__>()), void)

/**
 * The same for a kernel whose handler calls the workers that have no request. STATE::calls is an
 * unsigned long long. While it is not zero, each worker that waits runs the handler too, by all its
 * threads: then ctx.isAssisting() holds, and request and response must not be touched.
 *
 * The handler sets the word and clears it. A request must come to its end without assistants, as
 * any worker may have a request of its own, or leave. It may wait for those that have begun.
 */
#define RING_KERNEL_ASSISTED(NAME, REQUEST, RESPONSE, STATE) \
  RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, false, false, sizeof(STATE), STATE)

/** The same for a kernel whose workers meet: it is launched as a whole or not at all. */
#define RING_KERNEL_COOPERATIVE(NAME, REQUEST, RESPONSE, ...)                                      \
  RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, false, true, (ringkernel::stateBytes<__VA_ARGS__>()), \
                    void)

/** The same for a kernel without state that times its requests on the device. */
#define RING_KERNEL_TIMED(NAME, REQUEST, RESPONSE) \
  RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, true, false, sizeof(ringkernel::Timing), void)

using ringkernel::Context;
using ringkernel::fill;
