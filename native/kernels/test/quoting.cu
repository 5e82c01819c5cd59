// Answers each tick of a frame with its quote, or fails with the code of one that has a code.
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

RING_KERNEL_EACH(quoting, Ticks, Quotes)
(Context ctx, const Tick& in, Quote& out) {
  if (in.code != 0) {
    ctx.fail(in.code);
    return;
  }
  out.producer = in.producer;
  out.sequence = in.sequence;
  out.price = static_cast<float>(in.price);
  out.checksum = in.producer * 31 + in.sequence * 17 + in.size * 7 + in.flags;
}
