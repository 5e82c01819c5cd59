// The entry for a handler that is linked with it.
#include "handler_bench.cuh"

extern "C" __global__ void handler_bench(const bench::Run run) {
  bench::measure(run, [](ringkernel::Call* call, const void* in, void* out) {
    ringkernel_handle(call, in, out);
  });
}
