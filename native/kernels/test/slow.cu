// Takes the requested time, at most ten seconds, then returns the request as it is.
#include "../echo.cuh"
#include "test_messages.cuh"

RING_KERNEL(slow, Slow, Slow)
(Context ctx, const Slow& in, Slow& out) {
  constexpr uint64_t LIMIT_NANOS = 10'000'000'000;
  uint64_t nanos = in.micros < 0 ? 0 : static_cast<uint64_t>(in.micros) * 1000;
  if (nanos > LIMIT_NANOS) {
    nanos = LIMIT_NANOS;
  }
  uint64_t start = ringkernel::machine::nanoTime();
  while (ringkernel::machine::nanoTime() - start < nanos) {
    ringkernel::machine::pause(200);
  }
  echoFixed(ctx, in, out);
}
