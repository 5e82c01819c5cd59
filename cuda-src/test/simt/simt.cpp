#include "simt.hpp"

#include <ucontext.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace simt {
namespace {

constexpr size_t STACK_BYTES = 64 * 1024;

/** Where fibers meet. The parity of the generation tells two successive meetings apart. */
struct Meeting {
  uint32_t arrived = 0;
  uint32_t generation = 0;
};

struct Warp {
  Meeting meeting;
  uint64_t words[2][32] = {};
};

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool done = false;
  void* sanitizer = nullptr;
};

struct Block {
  uint32_t index;
  uint32_t grid;
  std::vector<Fiber> fibers;
  std::vector<Warp> warps;
  std::map<uint32_t, Meeting> barriers;
  std::vector<char> shared;
  ucontext_t scheduler;
  void* schedulerSanitizer = nullptr;
  uint32_t current = 0;
  const std::function<void()>* body;
};

thread_local Block* block;

std::atomic<uint32_t> running{0};
std::vector<std::thread> threads;

void switchSanitizer([[maybe_unused]] void* to) {
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(to, 0);
#endif
}

void enter() {
  (*block->body)();
  block->fibers[block->current].done = true;
  yield();
}

template <typename Met>
void meet(Meeting& meeting, uint32_t all, Met met) {
  uint32_t generation = meeting.generation;
  if (++meeting.arrived == all) {
    meeting.arrived = 0;
    meeting.generation++;
  }
  while (meeting.generation == generation) {
    yield();
  }
  met(generation & 1);
}

Warp& warp() {
  return block->warps[block->current / 32];
}

void runBlock(Block& mine) {
  block = &mine;
#if defined(__SANITIZE_THREAD__)
  mine.schedulerSanitizer = __tsan_get_current_fiber();
#endif
  for (Fiber& fiber : mine.fibers) {
    getcontext(&fiber.context);
    fiber.stack = std::make_unique<char[]>(STACK_BYTES);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = STACK_BYTES;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
#if defined(__SANITIZE_THREAD__)
    fiber.sanitizer = __tsan_create_fiber(0);
#endif
  }
  for (bool any = true; any;) {
    any = false;
    for (uint32_t i = 0; i < mine.fibers.size(); i++) {
      if (!mine.fibers[i].done) {
        any = true;
        mine.current = i;
        switchSanitizer(mine.fibers[i].sanitizer);
        swapcontext(&mine.scheduler, &mine.fibers[i].context);
      }
    }
  }
#if defined(__SANITIZE_THREAD__)
  for (Fiber& fiber : mine.fibers) {
    __tsan_destroy_fiber(fiber.sanitizer);
  }
#endif
}

}  // namespace

void launch(uint32_t blocks, uint32_t threadsPerBlock, uint32_t sharedBytes,
            const std::function<void()>& body) {
  for (std::thread& thread : threads) {
    thread.join();
  }
  threads.clear();
  running = blocks;
  for (uint32_t i = 0; i < blocks; i++) {
    threads.emplace_back([=] {
      Block mine;
      mine.index = i;
      mine.grid = blocks;
      mine.fibers = std::vector<Fiber>(threadsPerBlock);
      mine.warps = std::vector<Warp>((threadsPerBlock + 31) / 32);
      // What a kernel finds in shared memory is anything.
      mine.shared = std::vector<char>(sharedBytes + 16, 0x5a);
      mine.body = &body;
      runBlock(mine);
      running--;
    });
  }
}

bool hasEnded() {
  if (running != 0) {
    return false;
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  threads.clear();
  return true;
}

void yield() {
  Fiber& fiber = block->fibers[block->current];
  switchSanitizer(block->schedulerSanitizer);
  swapcontext(&fiber.context, &block->scheduler);
}

void barrier(uint32_t id, uint32_t all) {
  meet(block->barriers[id], all, [](uint32_t) {});
}

uint64_t nanoTime() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

uint8_t* dynamicShared() {
  auto at = reinterpret_cast<uintptr_t>(block->shared.data());
  return reinterpret_cast<uint8_t*>((at + 15) / 16 * 16);
}

dim3 currentThread() {
  return {block->current};
}
dim3 currentBlock() {
  return {block->index};
}
dim3 currentGrid() {
  return {block->grid};
}

uint64_t exchange(uint64_t word, uint32_t lane) {
  Warp& mine = warp();
  mine.words[mine.meeting.generation & 1][block->current % 32] = word;
  uint64_t result = 0;
  meet(mine.meeting, 32, [&](uint32_t parity) { result = mine.words[parity][lane]; });
  return result;
}

uint32_t ballot(bool predicate) {
  Warp& mine = warp();
  mine.words[mine.meeting.generation & 1][block->current % 32] = predicate;
  uint32_t result = 0;
  meet(mine.meeting, 32, [&](uint32_t parity) {
    for (uint32_t i = 0; i < 32; i++) {
      result |= (mine.words[parity][i] != 0 ? 1u : 0u) << i;
    }
  });
  return result;
}

}  // namespace simt

void __syncthreads() {
  simt::barrier(UINT32_MAX, simt::block->fibers.size());
}
