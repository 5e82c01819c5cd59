// Devices and contexts.
#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "occupancy.hpp"

using namespace emulator;

namespace {

void requireDevice(CUdevice device) {
  require(device == 0, CUDA_ERROR_INVALID_DEVICE);
}

int valueOf(CUdevice_attribute attribute) {
  const Platform& platform = Platform::current();
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
      return MAX_THREADS_PER_BLOCK;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
      return INT32_MAX;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      return DEFAULT_SHARED_BYTES_PER_BLOCK;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return WARP;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
      return REGISTERS_PER_MULTIPROCESSOR;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
      return 1'000'000;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return platform.multiprocessors;
    case CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT:
      return platform.saysTimeLimit;
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
      return platform.concurrentManagedAccess;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return MAX_THREADS_PER_MULTIPROCESSOR;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      return MAX_BLOCKS_PER_MULTIPROCESSOR;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      return SHARED_BYTES_PER_MULTIPROCESSOR;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      return MAX_SHARED_BYTES_PER_BLOCK;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return platform.capability / 10;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return platform.capability % 10;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
      return 3;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
    case CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
      return 1;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
    case CU_DEVICE_ATTRIBUTE_TCC_DRIVER:
    case CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
    case CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST:
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
    case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID:
    case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID:
      return 0;
  }
  throw Failure{CUDA_ERROR_INVALID_VALUE};
}

void copyText(const std::string& text, char* to, int length) {
  require(to != nullptr && length > 0, CUDA_ERROR_INVALID_VALUE);
  size_t count = std::min(text.size(), static_cast<size_t>(length) - 1);
  memcpy(to, text.data(), count);
  to[count] = 0;
}

}  // namespace

DRIVER_API cuInit(unsigned) {
  Device& device = Device::get();
  Lock lock(device.mutex);
  CUresult result = Platform::current().initialization;
  device.initialized = result == CUDA_SUCCESS;
  return result;
}

DRIVER_API cuDriverGetVersion(int* version) {
  if (version == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *version = Platform::current().driverVersion;
  return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetCount(int* count) {
  return driverCall([&](Lock&) { *count = 1; });
}

DRIVER_API cuDeviceGet(CUdevice* device, int ordinal) {
  return driverCall([&](Lock&) {
    requireDevice(ordinal);
    *device = ordinal;
  });
}

DRIVER_API cuDeviceGetName(char* name, int length, CUdevice device) {
  return driverCall([&](Lock&) {
    requireDevice(device);
    copyText(Platform::current().device + " (" + Platform::current().name + ")", name, length);
  });
}

DRIVER_API cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return driverCall([&](Lock&) {
    requireDevice(device);
    copyText("0000:00:00.0", id, length);
  });
}

DRIVER_API cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return driverCall([&](Lock&) {
    requireDevice(device);
    memset(uuid->bytes, 0x5a, sizeof(uuid->bytes));
  });
}

DRIVER_API cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return driverCall([&](Lock&) {
    requireDevice(device);
    *bytes = Platform::current().memoryBytes;
  });
}

DRIVER_API cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return driverCall([&](Lock&) {
    requireDevice(device);
    *value = valueOf(attribute);
  });
}

DRIVER_API cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return driverCall([&](Lock&) {
    requireDevice(device);
    require(Device::get().loss() == CUDA_SUCCESS, Device::get().loss());
    Device::get().retained = true;
    *context = primaryContext();
  });
}

DRIVER_API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return driverCall([&](Lock& lock) {
    requireDevice(device);
    require(Device::get().retained, CUDA_ERROR_INVALID_CONTEXT);
    awaitAll(lock);
    Device::get().retained = false;
  });
}

/** A process that has lost the device does not get it back this way either. */
DRIVER_API cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return driverCall([&](Lock& lock) {
    requireDevice(device);
    awaitAll(lock);
  });
}

DRIVER_API cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return driverCall([&](Lock&) {
    requireDevice(device);
    *flags = 0;
    *active = Device::get().retained;
  });
}

DRIVER_API cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned) {
  return driverCall([&](Lock&) { requireDevice(device); });
}

DRIVER_API cuCtxSetCurrent(CUcontext context) {
  return driverCall([&](Lock&) {
    require(context == nullptr || context == primaryContext(), CUDA_ERROR_INVALID_CONTEXT);
    currentContext = context;
  });
}

DRIVER_API cuCtxGetCurrent(CUcontext* context) {
  return driverCall([&](Lock&) { *context = currentContext; });
}

DRIVER_API cuCtxGetDevice(CUdevice* device) {
  return contextCall([&](Lock&) { *device = 0; });
}

DRIVER_API cuCtxSynchronize() {
  return contextCall([](Lock& lock) { awaitAll(lock); });
}

DRIVER_API cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return contextCall([&](Lock&) {
    *least = 0;
    *greatest = -5;
  });
}
