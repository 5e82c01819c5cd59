// Return each request as it is: what a round trip costs besides a handler.
#include "../echo.cuh"
#include "payload.cuh"

RING_KERNEL(echo, Payload, Payload)
(Context ctx, const Payload& in, Payload& out) {
  echoFixed(ctx, in, out);
}

RING_KERNEL(echo256, Payload256, Payload256)
(Context ctx, const Payload256& in, Payload256& out) {
  echoFixed(ctx, in, out);
}

// The same, and measures each request on the device.
RING_KERNEL_TIMED(echo_timed, Payload, Payload)
(Context ctx, const Payload& in, Payload& out) {
  echoFixed(ctx, in, out);
}
