// The driver's functions, looked up at run time: a machine without a driver can build this.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#define CUDA_NAME_OF(FUNCTION) #FUNCTION
#define CUDA_NAME(FUNCTION) CUDA_NAME_OF(FUNCTION)

/** Calls a function of the driver, and throws what it complains of. */
#define CUDA(FUNCTION, ...) \
  cuda::check(cuda::function<decltype(&FUNCTION)>(CUDA_NAME(FUNCTION))(__VA_ARGS__), #FUNCTION)

namespace cuda {

inline void* symbol(const char* name) {
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  void* found = driver == nullptr ? nullptr : dlsym(driver, name);
  if (found == nullptr) {
    throw std::runtime_error(std::string("the CUDA driver has no ") + name);
  }
  return found;
}

template <typename Function>
Function function(const char* name) {
  static std::map<std::string, void*> found;
  void*& entry = found[name];
  if (entry == nullptr) {
    entry = symbol(name);
  }
  return reinterpret_cast<Function>(entry);
}

inline void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) {
    throw std::runtime_error(std::string(call) + " returned " + std::to_string(result));
  }
}

/** The first device's primary context, current on this thread. */
inline void initialize() {
  CUdevice device;
  CUcontext context;
  CUDA(cuInit, 0);
  CUDA(cuDeviceGet, &device, 0);
  CUDA(cuDevicePrimaryCtxRetain, &context, device);
  CUDA(cuCtxSetCurrent, context);
}

inline CUmodule load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> image((std::istreambuf_iterator<char>(file)), {});
  if (image.empty()) {
    throw std::runtime_error("cannot read " + path);
  }
  image.push_back(0);
  CUmodule module;
  CUDA(cuModuleLoadData, &module, image.data());
  return module;
}

}  // namespace cuda
