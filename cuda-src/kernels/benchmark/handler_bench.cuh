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
  uint32_t fixedBytes;
  uint32_t maxBytes;
  uint32_t rounds;
  uint32_t reserved;
};

template <typename Handler>
__device__ __forceinline__ void measure(const Run& run, Handler handle) {
  __shared__ ringkernel::Call call;
  __shared__ ringkernel::Launch launch;
  __shared__ ringkernel::Failure failure;
  if (threadIdx.x == 0) {
    launch.user = run.state;
    call = {&launch,      nullptr, &failure, nullptr,    run.out, run.out, UINT32_MAX,
            run.maxBytes, 0,       0,        blockDim.x, 1,       {},      {}};
  }
  __syncthreads();
  long long begin = clock64();
#pragma unroll 1
  for (uint32_t i = 0; i < run.rounds; i++) {
    if (threadIdx.x == 0) {
      call.response = ringkernel::ResponseBuilder::begun(run.fixedBytes, UINT32_MAX);
    }
    __syncthreads();
    handle(&call, run.in, run.out);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    *run.cycles = (clock64() - begin) / run.rounds;
  }
}

}  // namespace bench
