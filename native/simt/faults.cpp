#include "faults.hpp"

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include <mutex>

#include "block.hpp"

namespace simt::faults {
namespace {

struct sigaction previous[NSIG];

/**
 * Set on threads that run a block. A thread_local variable would be allocated when a thread first
 * looks at it, which a signal handler must not do.
 */
pthread_key_t runsBlock;

/** Where the thread that broke goes on, on its own stack. */
[[noreturn]] void abandon() {
  Block::current()->fault(Ending::ILLEGAL_ADDRESS);
}

void chain(int signal, siginfo_t* info, void* context) {
  const struct sigaction& action = previous[signal];
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else if (action.sa_handler == SIG_DFL) {
    // Happens again as soon as this returns, and ends the process as it would have.
    sigaction(signal, &action, nullptr);
  } else if (action.sa_handler != SIG_IGN) {
    action.sa_handler(signal);
  }
}

void handle(int signal, siginfo_t* info, void* context) {
  if (pthread_getspecific(runsBlock) == nullptr) {
    chain(signal, info, context);
    return;
  }
#if defined(__x86_64__)
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto top = reinterpret_cast<uintptr_t>(Block::current()->stackTop());
  registers[REG_RSP] = static_cast<greg_t>(top - sizeof(void*));
  registers[REG_RIP] = reinterpret_cast<greg_t>(abandon);
#else
  // The signal stays blocked on this thread, which a second fault would end the process for.
  abandon();
#endif
}

}  // namespace

void catchThem() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_key_create(&runsBlock, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&action.sa_mask);
    for (int signal : {SIGSEGV, SIGBUS}) {
      sigaction(signal, &action, &previous[signal]);
    }
  });
}

void watch(bool runs) {
  static const char mark = 0;
  pthread_setspecific(runsBlock, runs ? &mark : nullptr);
}

}  // namespace simt::faults
