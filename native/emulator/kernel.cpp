#include "kernel.hpp"

#include <chrono>
#include <cstring>

#include "device.hpp"
#include "module.hpp"
#include "occupancy.hpp"

namespace emulator {
namespace {

/** Blocks take their places one after another, as they become free. */
void begin(Device& device, Lock& lock, const std::shared_ptr<simt::Grid>& grid) {
  device.await(lock, [&] { return device.hasRoomForGrid(); });
  device.begin(grid);
  for (uint32_t block = 0; block < grid->shape().blocks; block++) {
    bool reserved = false;
    device.await(lock, [&] { return reserved = device.reserve(grid->shape()); });
    if (!reserved) {
      return;
    }
    grid->begin(block);
  }
}

CUresult lossBy(simt::Ending ending) {
  switch (ending) {
    case simt::Ending::TRAPPED:
      return CUDA_ERROR_LAUNCH_FAILED;
    case simt::Ending::ILLEGAL_ADDRESS:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    default:
      return CUDA_SUCCESS;
  }
}

}  // namespace

Launch Launch::of(const CUDA_KERNEL_NODE_PARAMS& stated) {
  Launch launch;
  launch.function = Function::of(stated.func);
  // Kernels here have one dimension, as all of the product have.
  require(stated.gridDimY == 1 && stated.gridDimZ == 1 && stated.blockDimY == 1 &&
              stated.blockDimZ == 1,
          CUDA_ERROR_NOT_SUPPORTED);
  require(stated.extra == nullptr, CUDA_ERROR_NOT_SUPPORTED);
  require(stated.gridDimX > 0 && stated.blockDimX > 0, CUDA_ERROR_INVALID_VALUE);
  require(stated.blockDimX <= static_cast<unsigned>(launch.function->maxThreads),
          CUDA_ERROR_INVALID_VALUE);
  require(stated.sharedMemBytes <= static_cast<unsigned>(launch.function->maxDynamicSharedBytes),
          CUDA_ERROR_INVALID_VALUE);
  launch.shape = {stated.gridDimX, stated.blockDimX, stated.sharedMemBytes};
  const auto& sizes = launch.function->kernel->parameterBytes;
  require(sizes.empty() || stated.kernelParams != nullptr, CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < sizes.size(); i++) {
    const auto* from = static_cast<const uint8_t*>(stated.kernelParams[i]);
    launch.parameters.emplace_back(from, from + sizes[i]);
  }
  return launch;
}

void Launch::requireCooperative() const {
  int blocks =
      blocksPerMultiprocessor(static_cast<int>(shape.threads), function->registers,
                              function->staticSharedBytes + static_cast<int>(shape.sharedBytes)) *
      Platform::current().multiprocessors;
  require(shape.blocks <= static_cast<unsigned>(blocks), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

/** What blocks still use that run on, for a moment, when the device is lost and nobody waits. */
struct Running {
  Launch launch;
  std::vector<const void*> parameters;
  uint32_t blocksLeft;

  explicit Running(const Launch& launch) : launch(launch), blocksLeft(launch.shape.blocks) {
    for (const auto& parameter : this->launch.parameters) {
      parameters.push_back(parameter.data());
    }
  }

  void call() const {
    simt::handling = launch.function->handle;
    launch.function->kernel->call(const_cast<void* const*>(parameters.data()));
  }
};

void Launch::run() const {
  Device& device = Device::get();
  auto running = std::make_shared<Running>(*this);
  auto grid = std::make_shared<simt::Grid>(
      shape, [running] { running->call(); },
      [running, &device] {
        Lock lock(device.mutex);
        device.release(running->launch.shape);
        running->blocksLeft--;
        device.changed.notify_all();
      });
  Lock lock(device.mutex);
  begin(device, lock, grid);
  auto ended = [&] { return running->blocksLeft == 0 || device.loss() != CUDA_SUCCESS; };
  uint64_t limit = Platform::current().kernelLimitNanos;
  if (limit == 0) {
    device.changed.wait(lock, ended);
  } else if (!device.changed.wait_for(lock, std::chrono::nanoseconds(limit), ended)) {
    device.lose(CUDA_ERROR_LAUNCH_TIMEOUT);
  }
  if (CUresult loss = lossBy(grid->ending())) {
    device.loseByFault(loss);
  }
  device.end(grid);
}

}  // namespace emulator
