#include "block_threads.hpp"

#include <thread>

namespace simt {

BlockThreads& BlockThreads::get() {
  static BlockThreads& threads = *new BlockThreads();
  return threads;
}

void BlockThreads::run(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(mutex_);
  tasks_.push_back(std::move(task));
  if (tasks_.size() > idle_) {
    std::thread([this] { work(); }).detach();
  } else {
    added_.notify_one();
  }
}

void BlockThreads::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    while (tasks_.empty()) {
      idle_++;
      added_.wait(lock);
      idle_--;
    }
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

}  // namespace simt
