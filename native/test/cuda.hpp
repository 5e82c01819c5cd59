// The driver's functions, looked up at run time: a machine without a driver can build this.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
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

inline std::vector<char> image(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> image((std::istreambuf_iterator<char>(file)), {});
  if (image.empty()) {
    throw std::runtime_error("cannot read " + path);
  }
  image.push_back(0);
  return image;
}

inline CUmodule load(const std::string& path) {
  std::vector<char> image = cuda::image(path);
  CUmodule module;
  CUDA(cuModuleLoadData, &module, image.data());
  return module;
}

/**
 * The module of a handler that is linked with its worker, as one text: the worker's, and behind it
 * the handler's without what begins it. Compiled apart, they would spill registers.
 */
inline CUmodule link(const std::string& worker, const std::string& handler) {
  std::string text = image(worker).data();
  std::istringstream lines(image(handler).data());
  for (std::string line; std::getline(lines, line);) {
    bool begins = line.rfind(".version", 0) == 0 || line.rfind(".target", 0) == 0 ||
                  line.rfind(".address_size", 0) == 0;
    text += begins ? "" : line + "\n";
  }
  CUmodule module;
  CUDA(cuModuleLoadData, &module, text.c_str());
  return module;
}

}  // namespace cuda
