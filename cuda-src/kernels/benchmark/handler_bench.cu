// The entry for a handler that is linked with it.
#include "handler_bench.cuh"

/** What a worker has in shared memory: a request that travels inside its slot, and a response. */
__shared__ alignas(16) uint8_t nearbyRequest[ringkernel::MAX_INLINE_BYTES];
__shared__ alignas(16) uint8_t nearbyResponse[ringkernel::MAX_INLINE_BYTES];

extern "C" __global__ void handler_bench(const bench::Run run) {
  bool isInline = run.length <= ringkernel::MAX_INLINE_BYTES;
  for (uint32_t i = threadIdx.x; i < ringkernel::MAX_INLINE_BYTES; i += blockDim.x) {
    nearbyRequest[i] = isInline && i < run.length ? run.in[i] : 0;
    nearbyResponse[i] = 0;
  }
  ringkernel::Handled handled;
  bench::measure(run, [&](const bench::Request& request) {
    handled = ringkernel_handle(request.call, isInline ? nearbyRequest : request.in, request.length,
                                nearbyResponse, request.crew.thread(), request.crew.threads());
  });
  for (uint32_t i = threadIdx.x; i < handled.length && i < handled.split; i += blockDim.x) {
    run.out[i] = nearbyResponse[i];
  }
}
