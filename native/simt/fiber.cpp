#include "fiber.hpp"

#include <cstdlib>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)
// Saves what a called function has to preserve, and the stack pointer; takes those of the other.
asm(R"(
.text
.hidden simt_switch
.globl simt_switch
.type simt_switch, @function
simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size simt_switch, . - simt_switch
)");

extern "C" void simt_switch(void** pointer, void* other);
#endif

namespace simt {

namespace {

/** The fiber that was switched away from last; its sanitizer state is completed by the next. */
[[maybe_unused]] thread_local Fiber* previous;

}  // namespace

/** ThreadSanitizer knows a few thousand fibers at a time. */
Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  if (stack_ != nullptr) {
    __tsan_destroy_fiber(shadow_);
  }
#endif
}

void Fiber::prepare(uint8_t* stack, void (*entry)()) {
  stack_ = stack;
  bottom_ = stack;
  bytes_ = STACK_BYTES;
#if defined(__x86_64__)
  constexpr int SAVED = 6;
  auto** slots = reinterpret_cast<void**>(top());
  *--slots = nullptr;  // where the entry would return to
  *--slots = reinterpret_cast<void*>(entry);
  for (int i = 0; i < SAVED; i++) {
    *--slots = nullptr;
  }
  pointer_ = slots;
#else
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = STACK_BYTES;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
#endif
#if defined(__SANITIZE_THREAD__)
  if (shadow_ == nullptr) {
    shadow_ = __tsan_create_fiber(0);
  }
#endif
}

void Fiber::announce([[maybe_unused]] Fiber& other, [[maybe_unused]] bool forEver) {
#if defined(__SANITIZE_THREAD__)
  if (shadow_ == nullptr) {
    shadow_ = __tsan_get_current_fiber();
  }
  __tsan_switch_to_fiber(other.shadow_, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
  previous = this;
  __sanitizer_start_switch_fiber(forEver ? nullptr : &shadow_, other.bottom_, other.bytes_);
#endif
}

void Fiber::switchTo(Fiber& other) {
  announce(other, false);
#if defined(__x86_64__)
  simt_switch(&pointer_, other.pointer_);
#else
  swapcontext(&context_, &other.context_);
#endif
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom;
  size_t bytes;
  __sanitizer_finish_switch_fiber(shadow_, &bottom, &bytes);
#endif
}

void Fiber::leaveTo(Fiber& other) {
  announce(other, true);
#if defined(__x86_64__)
  simt_switch(&pointer_, other.pointer_);
#else
  swapcontext(&context_, &other.context_);
#endif
  abort();
}

void Fiber::begun() {
#if defined(__SANITIZE_ADDRESS__)
  // The first to switch here runs on the stack of its thread, which only now becomes known.
  __sanitizer_finish_switch_fiber(nullptr, &previous->bottom_, &previous->bytes_);
#endif
}

}  // namespace simt
