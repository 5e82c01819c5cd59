// What a handler knows besides its request: which thread it is, and how to fail.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/machine.cuh>
#include <ringkernel/message.cuh>
#include <ringkernel/response_builder.cuh>

namespace ringkernel {

/** The threads of a worker. One warp needs no barrier of the block's. */
class Crew {
 public:
  __device__ Crew(uint32_t thread, uint32_t threads, uint32_t barrier)
      : thread_(thread), threads_(threads), barrier_(barrier) {}

  __device__ uint32_t thread() const { return thread_; }
  __device__ uint32_t threads() const { return threads_; }
  __device__ bool isOneWarp() const { return threads_ == machine::WARP; }
  __device__ bool isFirstWarp() const { return thread_ < machine::WARP; }

  /** Waits for all threads of the worker; what they wrote before is seen by all after. */
  __device__ void sync() const {
    if (isOneWarp()) {
      __syncwarp();
    } else {
      machine::barrier(barrier_, threads_);
    }
  }

 private:
  uint32_t thread_;
  uint32_t threads_;
  uint32_t barrier_;
};

/** How a handler failed; in shared memory, since any thread may say so. */
struct Failure {
  uint32_t failed;
  int32_t code;
};

class Context {
 public:
  __device__ Context(const Crew& crew, uint32_t worker, const Launch& launch, Failure& failure,
                     ResponseBuilder& response)
      : crew_(crew), worker_(worker), launch_(&launch), failure_(&failure), response_(&response) {}

  /** The number of this thread in its worker. */
  __device__ uint32_t lane() const { return crew_.thread(); }

  /** How many threads the worker has: a multiple of 32. */
  __device__ uint32_t lanes() const { return crew_.threads(); }

  /** The number of this worker in the kernel. */
  __device__ uint32_t worker() const { return worker_; }

  /** Waits for all threads of the worker; called by all of them. */
  __device__ void sync() const { crew_.sync(); }

  /**
   * Fails this request, and no other: its caller gets the code, and the response is dropped. Called
   * by one thread or more. The handler goes on until it returns.
   */
  __device__ void fail(int32_t code) const {
    machine::poke(failure_->code, code);
    machine::poke(failure_->failed, 1u);
  }

  /**
   * The state of the handler in device memory, which its workers share. It is zero at the start of
   * a session and survives a relaunch.
   */
  template <typename T>
  __device__ T& state() const {
    return *reinterpret_cast<T*>(launch_->user);
  }

  /**
   * How much memory the state has: what its type needs, or the kernel's setting state-memory if
   * that is more. What lies behind the type is the handler's to use, and zero at first as well.
   */
  __device__ uint64_t stateBytes() const { return launch_->statePages * STATE_PAGE_BYTES; }

  /** Where the arrays of the response go. */
  __device__ ResponseBuilder& response() const { return *response_; }

 private:
  Crew crew_;
  uint32_t worker_;
  const Launch* launch_;
  Failure* failure_;
  ResponseBuilder* response_;
};

template <typename T, uint32_t CAPACITY, uint32_t AT>
__device__ Span<T> Array<T, CAPACITY, AT>::resize(Context& context, uint32_t size) {
  ResponseBuilder& response = context.response();
  uint32_t at = response.place(size * sizeof(T), size <= CAPACITY, context.lane());
  bool reserved = at != 0;
  if (reserved & (context.lane() == 0)) {
    offset = at;
    length = size;
  }
  return Span<T>(reserved ? reinterpret_cast<T*>(response.at(at)) : nullptr, reserved ? size : 0);
}

}  // namespace ringkernel
