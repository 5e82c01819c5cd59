// Numbers the requests of a session from 0 in the order in which it handles them.
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

struct CounterState {
  unsigned long long next;
};

RING_KERNEL(counter, Counter, Counted, CounterState)
(Context ctx, const Counter& in, Counted& out) {
  if (ctx.lane() == 0) {
    out.producer = in.producer;
    out.sequence = in.sequence;
    out.order = atomicAdd(&ctx.state<CounterState>().next, 1ull);
  }
}
