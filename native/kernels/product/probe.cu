// Finds out whether a running kernel sees what the host writes, and the host what the kernel
// writes. Not a ring kernel: it must not depend on what it is to find out, so it ends by itself.
#include <ringkernel/machine.cuh>

namespace {

/** Memory that is shared with the host; a line for each writer. */
struct Conversation {
  /** Written by the host: 0, then anything else. */
  alignas(128) uint64_t question;
  /** Written by the device: 1 once it runs; the question once it is seen. */
  alignas(128) uint64_t started;
  uint64_t answer;
};

static_assert(offsetof(Conversation, started) == 128);
static_assert(offsetof(Conversation, answer) == 136);

/** Bounds the wait even where the clock of the device stands still. */
constexpr uint32_t MOST_LOOKS = 1 << 28;

}  // namespace

/** The parameter: the device's address of a Conversation, and how long to wait. */
struct ProbeLaunch {
  uint64_t conversation;
  uint64_t deadlineNanos;
};

extern "C" __global__ void probe(ProbeLaunch launch) {
  using namespace ringkernel::machine;
  if (threadIdx.x != 0 || blockIdx.x != 0) {
    return;
  }
  auto* conversation = reinterpret_cast<Conversation*>(launch.conversation);
  storePair(&conversation->started, {1, 0});
  uint64_t start = nanoTime();
  uint64_t question = 0;
  // The last look follows the deadline, so that a question that came in time is seen.
  bool hasWaited = false;
  for (uint32_t looks = 0; question == 0 && !hasWaited && looks < MOST_LOOKS; looks++) {
    hasWaited = nanoTime() - start > launch.deadlineNanos;
    question = loadLong(&conversation->question);
  }
  storePair(&conversation->started, {1, question});
}
