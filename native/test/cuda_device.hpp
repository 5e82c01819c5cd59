// A GPU, through the driver. Every image is loaded before the first launch: loading one waits for
// all kernels that run. For the same reason nothing is freed.
#pragma once

#include <cstring>
#include <map>
#include <string>

#include "cuda.hpp"
#include "device.hpp"
#include "shape.hpp"

class CudaDevice final : public Device {
 public:
  /**
   * @param images the paths of images, each with kernels of the names given with it
   * @param effort how many messages a test may send; 1 also where a tool slows the device down
   */
  CudaDevice(const std::map<std::string, std::vector<std::string>>& images, uint32_t effort)
      : effort_(effort) {
    cuda::initialize();
    CUDA(cuStreamCreate, &stream_, CU_STREAM_NON_BLOCKING);
    for (const auto& [path, names] : images) {
      CUmodule module = cuda::load(path);
      for (const std::string& name : names) {
        kernels_[name] = find(module, name);
      }
    }
  }

  /** Links a handler with the worker that is compiled without it. */
  void link(const std::string& name, const std::string& worker, const std::string& handler) {
    CUmodule module = cuda::link(worker, handler);
    Kernel kernel = find(module, "ringkernel_worker");
    kernel.info = shape::linked(infoOf(module, "ringkernel_handler_info"), kernel.info);
    kernels_[name] = kernel;
  }

  Mapped mapped(size_t bytes) override {
    void* host;
    CUdeviceptr device;
    CUDA(cuMemHostAlloc, &host, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
    CUDA(cuMemHostGetDevicePointer, &device, host, 0);
    memset(host, 0, bytes);
    return {static_cast<uint8_t*>(host), device};
  }

  uint64_t memory(size_t bytes) override {
    CUdeviceptr device = 0;
    if (bytes > 0) {
      CUDA(cuMemAlloc, &device, bytes);
      CUDA(cuMemsetD8Async, device, 0, bytes, stream_);
      CUDA(cuStreamSynchronize, stream_);
    }
    return device;
  }

  void read(void* to, uint64_t from, size_t bytes) override { CUDA(cuMemcpyDtoH, to, from, bytes); }

  ringkernel::KernelInfo info(const char* kernel) override { return kernels_.at(kernel).info; }

  void launch(const char* kernel, const ringkernel::ErasedLaunch& launch, uint32_t blocks,
              uint32_t threads, uint32_t sharedBytes) override {
    ringkernel::ErasedLaunch parameter = launch;
    void* parameters[] = {&parameter};
    CUfunction function = kernels_.at(kernel).function;
    if (sharedBytes > 48 * 1024) {
      CUDA(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
           sharedBytes);
    }
    CUDA(cuLaunchKernel, function, blocks, 1, 1, threads, 1, 1, sharedBytes, stream_, parameters,
         nullptr);
  }

  /** Prepares what puts work on the device's stream, to be launched again and again. */
  template <typename Enqueue>
  CUgraphExec prepare(Enqueue enqueue) {
    CUgraph captured;
    CUgraphExec executable;
    CUDA(cuStreamBeginCapture, stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    enqueue();
    CUDA(cuStreamEndCapture, stream_, &captured);
    CUDA(cuGraphInstantiateWithFlags, &executable, captured, 0);
    CUDA(cuGraphUpload, executable, stream_);
    CUDA(cuStreamSynchronize, stream_);
    return executable;
  }

  void launch(CUgraphExec prepared) { CUDA(cuGraphLaunch, prepared, stream_); }

  bool hasEnded() override {
    CUresult result = cuda::function<decltype(&cuStreamQuery)>(CUDA_NAME(cuStreamQuery))(stream_);
    if (result == CUDA_ERROR_NOT_READY) {
      return false;
    }
    cuda::check(result, "cuStreamQuery");
    return true;
  }

  uint32_t effort() const override { return effort_; }

 private:
  struct Kernel {
    CUfunction function;
    ringkernel::KernelInfo info;
  };

  uint32_t effort_;
  CUstream stream_ = nullptr;
  std::map<std::string, Kernel> kernels_;

  static ringkernel::KernelInfo infoOf(CUmodule module, const std::string& name) {
    ringkernel::KernelInfo info;
    CUdeviceptr at;
    size_t bytes;
    CUDA(cuModuleGetGlobal, &at, &bytes, module, name.c_str());
    if (bytes != sizeof(info)) {
      throw std::runtime_error(name + " has " + std::to_string(bytes) + " B");
    }
    CUDA(cuMemcpyDtoH, &info, at, bytes);
    return info;
  }

  static Kernel find(CUmodule module, const std::string& name) {
    Kernel kernel = {};
    CUDA(cuModuleGetFunction, &kernel.function, module, name.c_str());
    kernel.info = infoOf(module, name + "_info");
    // Kernels are loaded lazily, and loading one waits for all that run: touch it now.
    int registers;
    CUDA(cuFuncGetAttribute, &registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel.function);
    return kernel;
  }
};
