// Returns each request as it is: what a round trip costs besides a handler.
#include "../echo.cuh"
#include "payload.cuh"

RING_KERNEL(echo, Payload, Payload)
(Context ctx, const Payload& in, Payload& out) {
  echoFixed(ctx, in, out);
}
