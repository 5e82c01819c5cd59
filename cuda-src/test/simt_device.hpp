// Runs the test kernels on the host, for machines without a GPU.
#pragma once

#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "device.hpp"
#include "simt/simt.hpp"

#define DECLARE_KERNEL(NAME)                           \
  extern "C" const ringkernel::KernelInfo NAME##_info; \
  extern "C" void NAME(ringkernel::Launch)

DECLARE_KERNEL(echo);
DECLARE_KERNEL(blob);
DECLARE_KERNEL(vector_add);
DECLARE_KERNEL(slow);
DECLARE_KERNEL(failing);
DECLARE_KERNEL(counter);
DECLARE_KERNEL(nearest_neighbours);

class SimtDevice final : public Device {
 public:
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

  ringkernel::KernelInfo info(const char* kernel) override { return *find(kernel).info; }

  void launch(const char* kernel, const ringkernel::Launch& launch, uint32_t blocks,
              uint32_t threads, uint32_t sharedBytes) override {
    auto* entry = find(kernel).entry;
    simt::launch(blocks, threads, sharedBytes, [=] { entry(launch); });
  }

  bool hasEnded() override { return simt::hasEnded(); }

  uint32_t effort() const override { return 1; }

 private:
  struct Kernel {
    const ringkernel::KernelInfo* info;
    void (*entry)(ringkernel::Launch);
  };

  std::vector<std::unique_ptr<uint8_t, void (*)(void*)>> allocations_;

  uint8_t* allocate(size_t bytes) {
    size_t size = (bytes + 4095) / 4096 * 4096;
    auto* at = static_cast<uint8_t*>(aligned_alloc(4096, size));
    memset(at, 0, size);
    allocations_.emplace_back(at, free);
    return at;
  }

  static const Kernel& find(const std::string& name) {
    static const std::map<std::string, Kernel> kernels = {
        {"echo", {&echo_info, echo}},
        {"blob", {&blob_info, blob}},
        {"slow", {&slow_info, slow}},
        {"vector_add", {&vector_add_info, vector_add}},
        {"failing", {&failing_info, failing}},
        {"counter", {&counter_info, counter}},
        {"nearest_neighbours", {&nearest_neighbours_info, nearest_neighbours}}};
    return kernels.at(name);
  }
};

using TestDevice = SimtDevice;
