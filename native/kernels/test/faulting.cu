// Answers a request as it is, or breaks: with a trap, a write to where nothing is, an exit, no end,
// or a write across the bounds of a word.
#include "../echo.cuh"
#include "fault_messages.cuh"

RING_KERNEL(faulting, Fault, Fault)
(Context ctx, const Fault& in, Fault& out) {
  if (in.how == 1) {
    __trap();
  }
  if (in.how == 2) {
    *reinterpret_cast<volatile int64_t*>(0x10) = in.sequence;
  }
  if (in.how == 3) {
    ringkernel::machine::exitThread();
  }
  while (in.how == 4) {
    ringkernel::machine::pause(1000);
  }
  if (in.how == 5) {
    *reinterpret_cast<volatile int64_t*>(reinterpret_cast<char*>(&out) + 1) = in.sequence;
  }
  echoFixed(ctx, in, out);
}
