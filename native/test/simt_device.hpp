// Runs the test kernels on the host, for machines without a GPU.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "device.hpp"
#include "grid.hpp"
#include "registry.hpp"
#include "shape.hpp"
#include "simt.hpp"

class SimtDevice final : public Device {
 public:
  /** @param linked whether handlers are linked with a worker that is compiled without them */
  explicit SimtDevice(bool linked) : linked_(linked) {}

  Mapped mapped(size_t bytes) override {
    uint8_t* at = allocate(bytes);
    return {at, reinterpret_cast<uint64_t>(at)};
  }

  uint64_t memory(size_t bytes) override {
    return bytes == 0 ? 0 : reinterpret_cast<uint64_t>(allocate(bytes));
  }

  void read(void* to, uint64_t from, size_t bytes) override {
    memcpy(to, reinterpret_cast<const void*>(from), bytes);
  }

  ringkernel::KernelInfo info(const char* kernel) override {
    if (!linked_) {
      return infoOf(imageOf(kernel), std::string(kernel) + "_info");
    }
    return shape::linked(infoOf(imageOf(kernel), "ringkernel_handler_info"),
                         infoOf(workerOf(kernel), "ringkernel_worker_info"));
  }

  void launch(const char* kernel, const ringkernel::ErasedLaunch& launch, uint32_t blocks,
              uint32_t threads, uint32_t sharedBytes) override {
    simt::Handle handle = imageOf(kernel).handle;
    auto call = (linked_ ? workerOf(kernel) : imageOf(kernel)).kernels.at(0).call;
    auto running = std::make_shared<std::atomic<uint32_t>>(blocks);
    running_ = running;
    auto grid = std::make_shared<simt::Grid>(
        simt::Shape{blocks, threads, sharedBytes},
        [=] {
          simt::handling = handle;
          const void* parameters[] = {&launch};
          call(const_cast<void* const*>(parameters));
        },
        [=] { running->fetch_sub(1); });
    for (uint32_t block = 0; block < blocks; block++) {
      grid->begin(block);
    }
  }

  uint32_t pollers() override {
    // Those that doze do so for 40 pauses of a microsecond, each of which takes 250 times as long.
    constexpr uint64_t DOZE_MILLIS = 10;
    constexpr uint64_t READS_OF_A_LOOK = 6;
    std::vector<uint64_t> before = reads();
    auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::vector<uint64_t> after = reads();
    auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begin);
    uint64_t some = READS_OF_A_LOOK * (2 + millis.count() / DOZE_MILLIS);
    uint32_t pollers = 0;
    for (size_t block = 0; block < before.size(); block++) {
      pollers += after[block] - before[block] > some ? 1 : 0;
    }
    return pollers;
  }

  bool hasEnded() override { return running_ == nullptr || running_->load() == 0; }

  uint32_t effort() const override { return 1; }

#ifdef __SANITIZE_THREAD__
  uint32_t rounds(uint32_t all) const override {
    return (all + 3) / 4;
  }
#endif

 private:
  bool linked_;
  std::shared_ptr<std::atomic<uint32_t>> running_;
  std::vector<std::unique_ptr<uint8_t, void (*)(void*)>> allocations_;

  static std::vector<uint64_t> reads() {
    return std::vector<uint64_t>(simt::busReads().begin(), simt::busReads().end());
  }

  uint8_t* allocate(size_t bytes) {
    size_t size = (bytes + 4095) / 4096 * 4096;
    auto* at = static_cast<uint8_t*>(aligned_alloc(4096, size));
    memset(at, 0, size);
    allocations_.emplace_back(at, free);
    return at;
  }

  static ringkernel::KernelInfo infoOf(const simt::Image& image, const std::string& name) {
    ringkernel::KernelInfo copy = {};
    for (const simt::Variable& variable : image.variables) {
      if (variable.name == name) {
        memcpy(&copy, variable.at, sizeof(copy));
      }
    }
    return copy;
  }

  /** The kernels of the tests. */
  const simt::Image& imageOf(const std::string& kernel) const {
    return simt::image((linked_ ? "test/" : "inlined/") + kernel);
  }

  /** The worker that a handler is linked with. */
  static const simt::Image& workerOf(const std::string& kernel) {
    return simt::image(kernel == "assisted" ? "product/assisted_worker" : "product/worker");
  }
};

using TestDevice = SimtDevice;
