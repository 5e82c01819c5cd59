#include "call.hpp"

#include <chrono>
#include <thread>

namespace emulator {

std::atomic<bool> initialized{false};

void pass(Lock& lock, uint64_t nanos) {
  if (nanos > 0) {
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::nanoseconds(nanos));
    lock.lock();
  }
}

void enter(Lock& lock, bool needsContext) {
  Device& device = Device::get();
  const Platform& platform = Platform::current();
  pass(lock, platform.callNanos);
  require(initialized, CUDA_ERROR_NOT_INITIALIZED);
  if (!needsContext) {
    return;
  }
  if (platform.blocksWhileRunning) {
    device.await(lock, [&] { return device.kernels == 0; });
  }
  if (device.loss() != CUDA_SUCCESS && platform.hangsWhenLost) {
    device.changed.wait(lock, [] { return false; });
  }
  require(device.answer() == CUDA_SUCCESS, device.answer());
  require(currentContext != nullptr, CUDA_ERROR_INVALID_CONTEXT);
}

void awaitAll(Lock& lock) {
  Device& device = Device::get();
  device.awaitAll(lock);
  require(device.answer() == CUDA_SUCCESS, device.answer());
}

}  // namespace emulator
