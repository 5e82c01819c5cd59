// The operating system threads that blocks run on. An event-driven kernel is launched for a handful
// of messages, so threads are kept, with the stacks that they have.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace simt {

class BlockThreads {
 public:
  /** Those of the process. They outlive everything: a kernel may run when the process ends. */
  static BlockThreads& get();

  /** Runs a task at once, on a thread that has nothing to do or on a new one. */
  void run(std::function<void()> task);

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::function<void()>> tasks_;
  size_t idle_ = 0;

  void work();
};

}  // namespace simt
