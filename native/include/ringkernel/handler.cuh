// A handler that is compiled without its worker.
#pragma once

#include <ringkernel/assistance.cuh>
#include <ringkernel/call.cuh>
#include <ringkernel/context.cuh>
#include <ringkernel/layout_text.cuh>
#include <ringkernel/received.cuh>
#include <type_traits>

namespace ringkernel {

/** What the host needs to know of a handler; the rest it is told by the worker. */
template <typename Kernel>
constexpr KernelInfo handlerInfoOf() {
  KernelInfo info = handlerInfo<Kernel>();
  info.flags |= FLAG_ERASED | (Calls<typename Kernel::Called>::EXIST ? FLAG_ASSISTED : 0);
  return info;
}

/** Has a kernel handle a request that a worker has found. */
template <typename Kernel>
__device__ __forceinline__ Handled handled(Call* call, const void* in, uint32_t length, void* out,
                                           uint32_t lane, uint32_t lanes) {
  using Request = typename Kernel::Request;
  using Response = typename Kernel::Response;
  bool isAssisting = Calls<typename Kernel::Called>::EXIST && length == ASSISTS;
  if (!isAssisting && !accepts<Request>(in, length)) {
    return {MessageKind::INVALID_REQUEST, 0, 0};
  }
  constexpr uint32_t NEARBY_BYTES = inlineBytes(Response::MAX_BYTES);
  ResponseBuilder response(static_cast<uint8_t*>(out), call->distant, NEARBY_BYTES,
                           Response::MAX_BYTES,
                           ResponseBuilder::begun(sizeof(Response), NEARBY_BYTES));
  Context context(Crew(lane, lanes, call->barrier), call->worker, *call->launch, *call->block,
                  *call->failure, *call->meeting, response, isAssisting);
  Kernel::handle(context, *static_cast<const Request*>(in), *static_cast<Response*>(out));
  return response.finished();
}

}  // namespace ringkernel

#define RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, TIMED_, COOPERATIVE_, STATE_BYTES_, CALLED_) \
  struct NAME##_kernel {                                                                        \
    using Request = REQUEST;                                                                    \
    using Response = RESPONSE;                                                                  \
    static constexpr bool COOPERATIVE = COOPERATIVE_;                                           \
    static constexpr uint64_t STATE_BYTES = STATE_BYTES_;                                       \
    static_assert(!TIMED_,                                                                      \
                  "RING_KERNEL_TIMED needs a worker of its own: write "                         \
                  "#undef RINGKERNEL_HANDLER before the first #include");                       \
    using Called = CALLED_;                                                                     \
    static_assert(ringkernel::beginsWithCalls<Called>(),                                        \
                  "the state of RING_KERNEL_ASSISTED begins with calls");                       \
    __device__ static void handle(ringkernel::Context ctx, const REQUEST& in, RESPONSE& out);   \
  };                                                                                            \
  extern "C" __device__ const ringkernel::KernelInfo ringkernel_handler_info =                  \
      ringkernel::handlerInfoOf<NAME##_kernel>();                                               \
  extern "C" __device__ const auto ringkernel_handler_layouts =                                 \
      ringkernel::layoutsOf<REQUEST, RESPONSE>();                                               \
  extern "C" __device__ ringkernel::Handled ringkernel_handle(                                  \
      ringkernel::Call* call, const void* in, uint32_t length, void* out, uint32_t lane,        \
      uint32_t lanes) {                                                                         \
    return ringkernel::handled<NAME##_kernel>(call, in, length, out, lane, lanes);              \
  }                                                                                             \
  __device__ __forceinline__ void NAME##_kernel::handle
