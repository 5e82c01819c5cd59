// The entry for a handler that is linked with it. Its requests are too large to travel inside their
// slot: smaller ones would have to be in shared memory.
#include "handler_bench.cuh"

/** Where a worker has a response as far as that travels inside its slot. */
__shared__ alignas(16) uint8_t nearby[ringkernel::MAX_INLINE_BYTES];

extern "C" __global__ void handler_bench(const bench::Run run) {
  for (uint32_t i = threadIdx.x; i < ringkernel::MAX_INLINE_BYTES; i += blockDim.x) {
    nearby[i] = 0;
  }
  ringkernel::Handled handled;
  bench::measure(run, [&](const bench::Request& request) {
    handled = ringkernel_handle(request.call, request.in, request.length, nearby,
                                request.crew.thread(), request.crew.threads());
  });
  for (uint32_t i = threadIdx.x; i < handled.length && i < handled.split; i += blockDim.x) {
    run.out[i] = nearby[i];
  }
}
