// Numbers the requests of a session from 0, if each is sent once the one before is answered: its
// state is plain memory.
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

struct Ledger {
  int64_t next;
};

RING_KERNEL(ledger, Counter, Counted, Ledger)
(Context ctx, const Counter& in, Counted& out) {
  if (ctx.lane() == 0) {
    out.producer = in.producer;
    out.sequence = in.sequence;
    out.order = ctx.state<Ledger>().next++;
  }
}
