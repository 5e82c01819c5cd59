// Returns each request as it is.
#include "../echo.cuh"
#include "test_messages.cuh"

RING_KERNEL(echo, Echo, Echo)
(Context ctx, const Echo& in, Echo& out) {
  echoFixed(ctx, in, out);
}
