// Calls a handler again and again, without a ring around it, and measures what one call takes by
// the clock of its multiprocessor. The Java side is io.ringkernel.benchmarks.gpu.HandlerBenchmark.
#pragma once

#include <ringkernel/linked.cuh>

namespace bench {

/** The parameter of each entry. */
struct Run {
  const uint8_t* in;
  uint8_t* out;
  uint64_t state;
  uint64_t* cycles;
  uint32_t length;
  uint32_t rounds;
};

/** What a handler has for a request. */
struct Request {
  ringkernel::Call* call;
  const void* in;
  uint32_t length;
  uint8_t* out;
  ringkernel::Crew crew;
};

/** The worker is the block, and its barrier 1: a plain __syncthreads has 0. */
template <typename Handler>
__device__ __forceinline__ void measure(const Run& run, Handler handle) {
  __shared__ ringkernel::Call call;
  __shared__ ringkernel::Launch launch;
  __shared__ ringkernel::Failure failure;
  if (threadIdx.x == 0) {
    launch.user = run.state;
    call = {{}, &launch, &failure, run.out, nullptr, nullptr, 0, 1};
  }
  __syncthreads();
  long long begin = clock64();
#pragma unroll 1
  for (uint32_t i = 0; i < run.rounds; i++) {
    handle(Request{&call, run.in, run.length, run.out,
                   ringkernel::Crew(threadIdx.x, blockDim.x, call.barrier)});
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    *run.cycles = (clock64() - begin) / run.rounds;
  }
}

}  // namespace bench
