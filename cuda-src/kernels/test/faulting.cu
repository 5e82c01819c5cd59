// Answers a request as it is, or breaks: with a trap, a write to where nothing is, or an exit.
#include "../echo.cuh"
#include "fault_messages.cuh"

RING_KERNEL(faulting, Fault, Fault)
(Context ctx, const Fault& in, Fault& out) {
  switch (in.how) {
    case 1:
      __trap();
      break;
    case 2:
      *reinterpret_cast<volatile uint64_t*>(0x10) = in.sequence;
      break;
    case 3:
      asm volatile("exit;");
      break;
    default:
      echoFixed(ctx, in, out);
  }
}
