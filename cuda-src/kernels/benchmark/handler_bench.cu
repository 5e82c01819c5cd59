// The entry for a handler that is linked with it.
#include "handler_bench.cuh"

extern "C" __global__ void handler_bench(const bench::Run run) {
  bench::measure(run, [](const bench::Request& request) {
    ringkernel_handle(request.call, request.in, request.length, request.out, request.crew.thread(),
                      request.crew.threads());
  });
}
