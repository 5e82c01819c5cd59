// Modules, functions and what they take of a multiprocessor.
#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "module.hpp"
#include "occupancy.hpp"

using namespace emulator;

namespace {

/** The compiler's log goes where the options say. */
void writeLog(const std::string& log, unsigned count, const int* options, void** values) {
  char* buffer = nullptr;
  size_t size = 0;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
      buffer = static_cast<char*>(values[i]);
    } else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
      size = reinterpret_cast<uintptr_t>(values[i]) & UINT32_MAX;
    }
  }
  if (buffer != nullptr && size > 0) {
    size_t length = std::min(size - 1, log.size());
    memcpy(buffer, log.data(), length);
    buffer[length] = 0;
  }
}

/** Loading waits for all kernels: they might need the module's variables. */
void load(Lock& lock, CUmodule* module, const void* image, unsigned count, const int* options,
          void** values) {
  require(image != nullptr, CUDA_ERROR_INVALID_VALUE);
  awaitAll(lock);
  try {
    auto loaded = Module::of(std::string(static_cast<const char*>(image)));
    *module = static_cast<CUmodule>(Device::get().modules.add(std::move(loaded)));
  } catch (const Rejection& rejection) {
    writeLog(rejection.log, count, options, values);
    throw Failure{rejection.code};
  }
}

/** What the compiler says goes where the linker was told to write when it was created. */
template <typename Body>
void linking(Linker& linker, Body body) {
  try {
    body();
  } catch (const Rejection& rejection) {
    writeLog(rejection.log, linker.options.size(), linker.options.data(), linker.values.data());
    throw Failure{rejection.code};
  }
}

int valueOf(const Function& function, CUfunction_attribute attribute) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return function.maxThreads;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return function.staticSharedBytes;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return function.registers;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return function.maxDynamicSharedBytes;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return Platform::current().capability;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return 0;
  }
  throw Failure{CUDA_ERROR_INVALID_VALUE};
}

}  // namespace

DRIVER_API cuModuleLoadData(CUmodule* module, const void* image) {
  return contextCall([&](Lock& lock) { load(lock, module, image, 0, nullptr, nullptr); });
}

DRIVER_API cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, int* options,
                              void** values) {
  return contextCall([&](Lock& lock) { load(lock, module, image, count, options, values); });
}

DRIVER_API cuLinkCreate_v2(unsigned count, int* options, void** values, CUlinkState* state) {
  return contextCall([&](Lock&) {
    auto linker = std::make_shared<Linker>();
    linker->options.assign(options, options + count);
    linker->values.assign(values, values + count);
    *state = static_cast<CUlinkState>(Device::get().linkers.add(std::move(linker)));
  });
}

/** Kernels run on meanwhile. */
DRIVER_API cuLinkAddData_v2(CUlinkState state, int type, void* data, size_t size, const char*,
                            unsigned, int*, void**) {
  return contextCall([&](Lock&) {
    auto linker = Device::get().linkers.get(state);
    require(type == CU_JIT_INPUT_PTX, CUDA_ERROR_NOT_SUPPORTED);
    require(data != nullptr && size > 0, CUDA_ERROR_INVALID_VALUE);
    // Up to the zero byte that ends it.
    std::string text(static_cast<const char*>(data), size);
    linking(*linker, [&] { linker->add(text.c_str()); });
  });
}

DRIVER_API cuLinkComplete(CUlinkState state, void** code, size_t* size) {
  return contextCall([&](Lock&) {
    auto linker = Device::get().linkers.get(state);
    linking(*linker, [&] { linker->complete(); });
    *code = linker->code.data();
    *size = linker->code.size() + 1;
  });
}

DRIVER_API cuLinkDestroy(CUlinkState state) {
  return contextCall([&](Lock&) { Device::get().linkers.remove(state); });
}

DRIVER_API cuModuleUnload(CUmodule module) {
  return contextCall([&](Lock& lock) {
    Module::of(module);
    awaitAll(lock);
    Device::get().modules.remove(module);
  });
}

DRIVER_API cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return contextCall([&](Lock&) {
    void* found = Module::of(module)->function(name).get();
    *function = static_cast<CUfunction>(found);
  });
}

DRIVER_API cuModuleGetGlobal_v2(CUdeviceptr* at, size_t* bytes, CUmodule module, const char* name) {
  return contextCall([&](Lock&) {
    const Module::Variable& variable = Module::of(module)->variable(name);
    if (at != nullptr) {
      *at = variable.at;
    }
    if (bytes != nullptr) {
      *bytes = variable.bytes;
    }
  });
}

/** Functions are loaded when they are needed. */
DRIVER_API cuModuleGetLoadingMode(int* mode) {
  return driverCall([&](Lock&) { *mode = 2; });
}

DRIVER_API cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return contextCall([&](Lock&) { *value = valueOf(*Function::of(function), attribute); });
}

DRIVER_API cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return contextCall([&](Lock&) {
    auto found = Function::of(function);
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
      require(value >= -1 && value <= 100, CUDA_ERROR_INVALID_VALUE);
      return;
    }
    require(attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CUDA_ERROR_NOT_SUPPORTED);
    require(value >= 0 && value <= MAX_SHARED_BYTES_PER_BLOCK - found->staticSharedBytes,
            CUDA_ERROR_INVALID_VALUE);
    found->maxDynamicSharedBytes = value;
  });
}

DRIVER_API cuFuncSetCacheConfig(CUfunction function, int) {
  return contextCall([&](Lock&) { Function::of(function); });
}

DRIVER_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                                int threads, size_t sharedBytes,
                                                                unsigned) {
  return contextCall([&](Lock&) {
    auto found = Function::of(function);
    require(threads > 0, CUDA_ERROR_INVALID_VALUE);
    *blocks =
        threads > found->maxThreads
            ? 0
            : blocksPerMultiprocessor(threads, found->registers,
                                      found->staticSharedBytes + static_cast<int>(sharedBytes));
  });
}

DRIVER_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function,
                                                       int threads, size_t sharedBytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                              sharedBytes, 0);
}
