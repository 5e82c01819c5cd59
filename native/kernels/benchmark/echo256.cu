// Returns each request of 256 bytes as it is.
#include "../echo.cuh"
#include "payload.cuh"

RING_KERNEL(echo256, Payload256, Payload256)
(Context ctx, const Payload256& in, Payload256& out) {
  echoFixed(ctx, in, out);
}
