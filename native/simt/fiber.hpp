// A thread of execution that gives up the processor only by itself, with a stack of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace simt {

/**
 * Switches within one operating system thread. swapcontext would make two system calls a switch,
 * and a kernel of 1024 threads switches a hundred million times in the time of a test.
 */
class Fiber {
 public:
  static constexpr size_t STACK_BYTES = 64 * 1024;

  /** What runs on the stack of its thread, once it has switched away. */
  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /** Lets it begin at a function, which never returns, on a stack that it is lent. */
  void prepare(uint8_t* stack, void (*entry)());

  /** Goes on with another; returns when somebody switches back. */
  void switchTo(Fiber& other);

  /** Goes on with another for ever. */
  [[noreturn]] void leaveTo(Fiber& other);

  /** To be called first by what prepare names. */
  static void begun();

  /** The end of its stack, where that grows from. */
  uint8_t* top() const { return stack_ + STACK_BYTES; }

 private:
#if defined(__x86_64__)
  void* pointer_ = nullptr;
#else
  ucontext_t context_;
#endif
  uint8_t* stack_ = nullptr;

  // What the sanitizers know it by.
  void* shadow_ = nullptr;
  const void* bottom_ = nullptr;
  size_t bytes_ = 0;

  void announce(Fiber& other, bool forEver);
};

}  // namespace simt
