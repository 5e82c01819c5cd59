// Devices and contexts.
#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "occupancy.hpp"

using namespace emulator;

namespace {

void requireDevice(CUdevice device) {
  Device::at(device);
}

CUcontext handle(Context* context) {
  return reinterpret_cast<CUcontext>(context);
}

/** Guards which contexts there are. */
std::mutex contextsMutex;

/** The context of a handle; null for none. */
Context* contextOf(CUcontext handle) {
  if (handle == nullptr) {
    return nullptr;
  }
  Lock lock(contextsMutex);
  for (int i = 0; i < Platform::current().devices; i++) {
    Device& device = Device::at(i);
    if (handle == ::handle(&device.primary)) {
      return &device.primary;
    }
    for (const auto& context : device.contexts) {
      if (handle == ::handle(context.get())) {
        return context.get();
      }
    }
  }
  throw Failure{CUDA_ERROR_INVALID_CONTEXT};
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
  CUresult result = Platform::current().initialization;
  initialized = result == CUDA_SUCCESS;
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
  return driverCall([&](Lock&) { *count = Platform::current().devices; });
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
    Device& retained = Device::at(device);
    require(retained.answer() == CUDA_SUCCESS, retained.answer());
    retained.retained = true;
    *context = handle(&retained.primary);
  });
}

DRIVER_API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return driverCall([&](Lock& lock) {
    require(Device::at(device).retained, CUDA_ERROR_INVALID_CONTEXT);
    awaitAll(lock);
    Device::at(device).retained = false;
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
    *flags = 0;
    *active = Device::at(device).retained;
  });
}

DRIVER_API cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned) {
  return driverCall([&](Lock&) { requireDevice(device); });
}

DRIVER_API cuCtxSetCurrent(CUcontext context) {
  return driverCall([&](Lock&) { currentContext = contextOf(context); });
}

DRIVER_API cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice ordinal) {
  return driverCall([&](Lock&) {
    Device& device = Device::at(ordinal);
    require(device.answer() == CUDA_SUCCESS, device.answer());
    Lock contexts(contextsMutex);
    device.contexts.push_back(std::make_unique<Context>(Context{device}));
    currentContext = device.contexts.back().get();
    *context = handle(currentContext);
  });
}

DRIVER_API cuCtxGetCurrent(CUcontext* context) {
  return driverCall([&](Lock&) { *context = handle(currentContext); });
}

DRIVER_API cuCtxGetDevice(CUdevice* device) {
  return contextCall([&](Lock&) { *device = Device::get().ordinal; });
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
