#include "stream.hpp"

#include <thread>

#include "graph.hpp"

namespace emulator {

bool Position::isReached() const {
  return stream->completed() >= number;
}

std::shared_ptr<Stream> Stream::create(unsigned flags) {
  std::shared_ptr<Stream> stream(new Stream(flags));
  std::thread([stream] { stream->work(); }).detach();
  return stream;
}

std::shared_ptr<Stream> Stream::of(CUstream handle) {
  Device& device = Device::get();
  auto address = reinterpret_cast<uintptr_t>(handle);
  if (address != 0 && address != CU_STREAM_LEGACY && address != CU_STREAM_PER_THREAD) {
    return device.streams.get(handle);
  }
  if (device.legacy == nullptr) {
    device.legacy = create(0);
    device.streams.add(device.legacy);
  }
  return device.legacy;
}

/** The legacy stream and those that do not opt out wait for each other. */
std::vector<Position> Stream::predecessors() const {
  std::vector<Position> before;
  const Device& device = Device::get();
  if (this == device.legacy.get()) {
    for (const auto& other : device.streams.all()) {
      if (other.second.get() != this && other.second->isBlocking()) {
        before.push_back(other.second->end());
      }
    }
  } else if (isBlocking() && device.legacy != nullptr) {
    before.push_back(device.legacy->end());
  }
  return before;
}

Position Stream::submit(Work work) {
  if (isCapturing()) {
    captured_->append(std::move(work));
    return end();
  }
  Device& device = Device::get();
  queue_.push_back([before = predecessors(), run = std::move(work.run)] {
    Device& device = Device::get();
    {
      Lock lock(device.mutex);
      for (const Position& position : before) {
        device.await(lock, [&] { return position.isReached(); });
      }
      if (device.loss() != CUDA_SUCCESS) {
        return;
      }
    }
    run();
  });
  submitted_++;
  device.changed.notify_all();
  return end();
}

void Stream::destroy() {
  destroyed_ = true;
  Device::get().changed.notify_all();
}

void Stream::work() {
  currentContext = context_;
  Device& device = Device::get();
  Lock lock(device.mutex);
  while (true) {
    device.changed.wait(lock, [this] { return destroyed_ || !queue_.empty(); });
    if (queue_.empty()) {
      return;
    }
    std::function<void()> next = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    next();
    next = nullptr;
    lock.lock();
    completed_++;
    device.changed.notify_all();
  }
}

void Stream::beginCapture() {
  require(!isCapturing(), CUDA_ERROR_ILLEGAL_STATE);
  captured_ = std::make_shared<Graph>();
}

std::shared_ptr<Graph> Stream::endCapture() {
  require(isCapturing(), CUDA_ERROR_ILLEGAL_STATE);
  return std::move(captured_);
}

}  // namespace emulator
