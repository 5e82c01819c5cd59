// Fails with the requested code, or returns the request as it is if that is zero.
#include "../echo.cuh"
#include "test_messages.cuh"

RING_KERNEL(failing, Failing, Failing)
(Context ctx, const Failing& in, Failing& out) {
  if (in.code != 0) {
    ctx.fail(in.code);
    return;
  }
  out.sequence = in.sequence;
  out.code = in.code;
}
