#include "device.hpp"

#include <chrono>
#include <thread>
#include <vector>

#include "occupancy.hpp"
#include "stream.hpp"

namespace emulator {

Device& Device::get() {
  static Device& device = *new Device();
  return device;
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

void Device::awaitAll(Lock& lock) {
  std::vector<Position> positions;
  for (const auto& stream : streams.all()) {
    positions.push_back(stream.second->end());
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
