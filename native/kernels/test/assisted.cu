// Calls the workers that have nothing to do, and answers with how many have come. A request says
// for how many milliseconds it waits (its producer), and for how many workers (its sequence).
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

struct AssistedState {
  unsigned long long calls;
  /** How many have come, by a bit for each, and how many of them are there. */
  unsigned long long come;
  uint32_t present;
};

__device__ inline void assist(const Context& ctx, AssistedState& state) {
  if (ctx.lane() == 0) {
    atomicAdd(&state.present, 1u);
    // It is looked for only while it is open.
    if (atomicOr(&state.calls, 0ull) != 0) {
      atomicOr(&state.come, 1ull << ctx.worker());
    }
    atomicSub(&state.present, 1u);
  }
  ctx.sync();
}

/** Waits until so many have come, for so long; tells how many have. */
__device__ inline int64_t comeWithin(AssistedState& state, int64_t count, int64_t millis) {
  uint64_t patience = static_cast<uint64_t>(millis) * 1'000'000;
  uint64_t begun = ringkernel::machine::nanoTime();
  int64_t come;
  do {
    ringkernel::machine::pause(1000);
    come = __popcll(atomicOr(&state.come, 0ull));
  } while (come < count && ringkernel::machine::nanoTime() - begun < patience);
  return come;
}

RING_KERNEL_ASSISTED(assisted, Counter, Counted, AssistedState)
(Context ctx, const Counter& in, Counted& out) {
  auto& state = ctx.state<AssistedState>();
  if (ctx.isAssisting()) {
    assist(ctx, state);
  } else if (ctx.lane() == 0) {
    atomicExch(&state.come, 0ull);
    atomicExch(&state.calls, 1ull);
    out.order = comeWithin(state, in.sequence, in.producer);
    atomicExch(&state.calls, 0ull);
    while (atomicAdd(&state.present, 0u) != 0) {
      ringkernel::machine::pause(1000);
    }
    out.producer = in.producer;
    out.sequence = in.sequence;
  }
}
