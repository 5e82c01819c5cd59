// Imposes faults on the CUDA driver that a process has loaded, be it real or emulated:
//
//   LD_PRELOAD=libringkernel-interposer.so RINGKERNEL_INTERPOSED_PLATFORM=wsl2 COMMAND …
//
// The library of JCuda finds these functions before the driver's. The driver itself is found by its
// name: it is loaded in a scope of its own, which dlsym(RTLD_NEXT) does not see.
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda_api.hpp"

namespace {

bool isPlatform(const char* name) {
  const char* platform = getenv("RINGKERNEL_INTERPOSED_PLATFORM");
  return platform != nullptr && strcmp(platform, name) == 0;
}

bool wsl2() {
  static const bool is = isPlatform("wsl2");
  return is;
}

void* symbol(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void* found = driver == nullptr ? nullptr : dlsym(driver, name);
  if (found == nullptr) {
    fprintf(stderr, "the interposer finds no %s in the CUDA driver\n", name);
    abort();
  }
  return found;
}

/** Whether a kernel was launched that nobody has waited for. */
std::atomic<bool> launched{false};

/** As under WSL2, where every call waits while a kernel runs. */
void awaitKernels() {
  if (wsl2() && launched.exchange(false)) {
    static auto synchronize = reinterpret_cast<CUresult (*)()>(symbol("cuCtxSynchronize"));
    synchronize();
  }
}

}  // namespace

/** Defines a function that goes on to the driver's once its body has not returned. */
#define INTERPOSED(NAME, PARAMETERS, ARGUMENTS, ...)                              \
  DRIVER_API NAME PARAMETERS {                                                    \
    static auto driver = reinterpret_cast<CUresult(*) PARAMETERS>(symbol(#NAME)); \
    awaitKernels();                                                               \
    __VA_ARGS__;                                                                  \
    return driver ARGUMENTS;                                                      \
  }

/** Defines one that waits for kernels, and nothing else. */
#define WAITING(NAME, PARAMETERS, ARGUMENTS) INTERPOSED(NAME, PARAMETERS, ARGUMENTS, (void)0)

/** What cannot be done without pinned memory. */
#define REFUSED_WITHOUT_PINNING \
  if (wsl2())                   \
  return CUDA_ERROR_INVALID_VALUE

/** Launches fail, or are noted. */
#define LAUNCHED                               \
  if (isPlatform("launch-failure"))            \
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES; \
  launched = true

INTERPOSED(cuMemHostRegister_v2, (void* at, size_t bytes, unsigned flags), (at, bytes, flags),
           REFUSED_WITHOUT_PINNING)
INTERPOSED(cuMemHostAlloc, (void** at, size_t bytes, unsigned flags), (at, bytes, flags),
           REFUSED_WITHOUT_PINNING)
INTERPOSED(cuMemAllocHost_v2, (void** at, size_t bytes), (at, bytes), REFUSED_WITHOUT_PINNING)
INTERPOSED(cuMemAlloc_v2, (CUdeviceptr * at, size_t bytes), (at, bytes),
           if (isPlatform("out-of-memory")) return CUDA_ERROR_OUT_OF_MEMORY)

INTERPOSED(cuLaunchKernel,
           (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
            unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream,
            void** parameters, void** extra),
           (function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, parameters,
            extra),
           LAUNCHED)
INTERPOSED(cuLaunchCooperativeKernel,
           (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
            unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream,
            void** parameters),
           (function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, parameters),
           LAUNCHED)
INTERPOSED(cuGraphLaunch, (CUgraphExec graph, CUstream stream), (graph, stream), LAUNCHED)

WAITING(cuStreamQuery, (CUstream stream), (stream))
WAITING(cuStreamSynchronize, (CUstream stream), (stream))
WAITING(cuStreamCreate, (CUstream * stream, unsigned flags), (stream, flags))
WAITING(cuStreamDestroy_v2, (CUstream stream), (stream))
WAITING(cuEventQuery, (CUevent event), (event))
WAITING(cuEventRecord, (CUevent event, CUstream stream), (event, stream))
WAITING(cuMemFree_v2, (CUdeviceptr at), (at))
WAITING(cuMemcpyHtoD_v2, (CUdeviceptr to, const void* from, size_t bytes), (to, from, bytes))
WAITING(cuMemcpyDtoH_v2, (void* to, CUdeviceptr from, size_t bytes), (to, from, bytes))
WAITING(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream),
        (to, from, bytes, stream))
WAITING(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, size_t bytes, CUstream stream),
        (to, from, bytes, stream))
WAITING(cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t count, CUstream stream),
        (to, value, count, stream))
WAITING(cuModuleLoadDataEx,
        (CUmodule * module, const void* image, unsigned count, int* options, void** values),
        (module, image, count, options, values))

/** Announced as a device under WSL2 is. */
DRIVER_API cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  static auto driver = reinterpret_cast<CUresult (*)(int*, CUdevice_attribute, CUdevice)>(
      symbol("cuDeviceGetAttribute"));
  CUresult result = driver(value, attribute, device);
  if (wsl2() && result == CUDA_SUCCESS) {
    if (attribute == CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT) {
      *value = 1;
    }
  }
  return result;
}
