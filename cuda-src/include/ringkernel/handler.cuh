// What a handler that is compiled without its worker knows besides its request.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/call.cuh>
#include <ringkernel/cooperation.cuh>
#include <ringkernel/layout_text.cuh>
#include <ringkernel/machine.cuh>
#include <ringkernel/message.cuh>

namespace ringkernel {

/** The same to a handler as that of context.cuh: asked of the worker, over a boundary. */
class Context : public Cooperation<Context> {
 public:
  __device__ explicit Context(Call* call)
      : call_(call), lane_(ringkernel_lane(call)), lanes_(ringkernel_lanes(call)) {}

  __device__ uint32_t lane() const { return lane_; }
  __device__ uint32_t lanes() const { return lanes_; }
  __device__ uint32_t worker() const { return ringkernel_worker_number(call_); }
  __device__ void sync() const { ringkernel_sync(call_); }
  __device__ bool meetAll() const { return ringkernel_meet_all(call_) != 0; }
  __device__ void fail(int32_t code) const { ringkernel_fail(call_, code); }
  __device__ uint64_t stateBytes() const { return ringkernel_state_bytes(call_); }

  template <typename T>
  __device__ T& state() const {
    return *static_cast<T*>(ringkernel_state(call_));
  }

  /** The call that it stands for. */
  __device__ Call* call() const { return call_; }

 private:
  Call* call_;
  uint32_t lane_;
  uint32_t lanes_;
};

template <typename T, uint32_t CAPACITY, uint32_t AT>
__device__ Span<T> Array<T, CAPACITY, AT>::resize(Context& context, uint32_t size) {
  void* elements = ringkernel_resize(context.call(), this, sizeof(T), CAPACITY, size);
  return Span<T>(static_cast<T*>(elements), elements == nullptr ? 0 : size);
}

/** What the host needs to know of a handler; the rest it is told by the worker. */
template <typename Kernel>
constexpr KernelInfo handlerInfoOf() {
  KernelInfo info = handlerInfo<Kernel>();
  info.flags |= FLAG_ERASED;
  return info;
}

}  // namespace ringkernel

#define RINGKERNEL_DEFINE(NAME, REQUEST, RESPONSE, TIMED_, COOPERATIVE_, STATE_BYTES_)        \
  struct NAME##_kernel {                                                                      \
    using Request = REQUEST;                                                                  \
    using Response = RESPONSE;                                                                \
    static constexpr bool COOPERATIVE = COOPERATIVE_;                                         \
    static constexpr uint64_t STATE_BYTES = STATE_BYTES_;                                     \
    static_assert(!TIMED_, "a handler alone has no clock");                                   \
    __device__ static void handle(ringkernel::Context ctx, const REQUEST& in, RESPONSE& out); \
  };                                                                                          \
  extern "C" __device__ const ringkernel::KernelInfo ringkernel_handler_info =                \
      ringkernel::handlerInfoOf<NAME##_kernel>();                                             \
  extern "C" __device__ const auto ringkernel_handler_layouts =                               \
      ringkernel::layoutsOf<REQUEST, RESPONSE>();                                             \
  extern "C" __device__ void ringkernel_handle(ringkernel::Call* call, const void* in,        \
                                               void* out) {                                   \
    NAME##_kernel::handle(ringkernel::Context(call), *static_cast<const REQUEST*>(in),        \
                          *static_cast<RESPONSE*>(out));                                      \
  }                                                                                           \
  __device__ __forceinline__ void NAME##_kernel::handle
