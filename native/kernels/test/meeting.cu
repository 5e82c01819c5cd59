// Counts requests, and answers each with the count of those that all workers have brought.
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

struct MeetingState {
  unsigned long long brought;
};

RING_KERNEL_COOPERATIVE(meeting, Counter, Counted, MeetingState)
(Context ctx, const Counter& in, Counted& out) {
  if (!ctx.meetAll()) {
    return;
  }
  auto& brought = ctx.state<MeetingState>().brought;
  if (ctx.lane() == 0) {
    atomicAdd(&brought, 1ull);
  }
  ctx.meetAll();
  if (ctx.lane() == 0) {
    out.producer = in.producer;
    out.sequence = in.sequence;
    out.order = atomicAdd(&brought, 0ull);
  }
}
