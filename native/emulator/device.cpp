#include "device.hpp"

#include <chrono>
#include <thread>
#include <vector>

#include "occupancy.hpp"
#include "platform.hpp"
#include "stream.hpp"

namespace emulator {

thread_local Context* currentContext;

Device& Device::get() {
  return currentContext == nullptr ? at(0) : currentContext->device;
}

Device& Device::at(int ordinal) {
  static const std::vector<Device*>& devices = *[] {
    auto* made = new std::vector<Device*>();
    for (int i = 0; i < Platform::current().devices; i++) {
      made->push_back(new Device(i));
    }
    return made;
  }();
  require(ordinal >= 0 && ordinal < static_cast<int>(devices.size()), CUDA_ERROR_INVALID_DEVICE);
  return *devices[static_cast<size_t>(ordinal)];
}

void Device::lose(CUresult reason) {
  if (loss_ == CUDA_SUCCESS) {
    loss_ = reason;
  }
  for (const auto& grid : grids_) {
    grid->end(simt::Ending::KILLED);
  }
  changed.notify_all();
}

void Device::loseByFault(CUresult reason) {
  CUresult none = CUDA_SUCCESS;
  fault.compare_exchange_strong(none, reason);
  lose(reason);
}

void Device::awaitAll(Lock& lock) {
  std::vector<Position> positions;
  for (const auto& stream : streams.all()) {
    if (stream.second->context() == currentContext) {
      positions.push_back(stream.second->end());
    }
  }
  await(lock, [&] {
    for (const Position& position : positions) {
      if (!position.isReached()) {
        return false;
      }
    }
    return true;
  });
}

void Device::begin(const std::shared_ptr<simt::Grid>& grid) {
  grids_.insert(grid);
  const Platform& platform = Platform::current();
  if (loseLater_ && platform.lostAfterNanos > 0) {
    loseLater_ = false;
    std::thread([this, &platform] {
      std::this_thread::sleep_for(std::chrono::nanoseconds(platform.lostAfterNanos));
      Lock lock(mutex);
      lose(platform.loss);
    }).detach();
  }
}

bool Device::reserve(const simt::Shape& shape) {
  uint64_t capacity =
      static_cast<uint64_t>(Platform::current().multiprocessors) * MAX_THREADS_PER_MULTIPROCESSOR;
  if (residentThreads_ + shape.threads > capacity) {
    return false;
  }
  residentThreads_ += shape.threads;
  return true;
}

}  // namespace emulator
