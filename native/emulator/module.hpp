// Modules: PTX that is known, with the kernels that were compiled for the host from its source.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda_api.hpp"
#include "registry.hpp"

namespace emulator {

class Module;

/** An entry of a module. */
struct Function {
  const simt::Kernel* kernel;
  /** What its worker calls; null if it was compiled with its handler. */
  simt::Handle handle;
  int maxThreads;
  int registers;
  int staticSharedBytes;
  int maxDynamicSharedBytes;
  /** The driver loads a function in whole when it is first launched. */
  bool loaded = false;

  static std::shared_ptr<Function> of(CUfunction handle);
};

/** Why a text is not taken, as the driver and its compiler would say. */
struct Rejection {
  CUresult code;
  std::string log;
};

/** Texts that become one image. */
struct Linker {
  std::vector<int> options;
  std::vector<void*> values;
  std::string texts;
  /** What has come of them, once they are complete. */
  std::string code;

  /** Compiles a text; throws a Rejection. */
  void add(const std::string& ptx);

  /** Links what was added; throws a Rejection. */
  void complete();
};

class Module {
 public:
  struct Variable {
    CUdeviceptr at;
    size_t bytes;
  };

  /** Makes a module of PTX, or of what was linked; throws a Rejection. */
  static std::shared_ptr<Module> of(const std::string& image);

  /** The module of a handle. */
  static std::shared_ptr<Module> of(CUmodule handle);

  ~Module();

  const std::shared_ptr<Function>& function(const std::string& name) const;
  const Variable& variable(const std::string& name) const;

  /** The function of a handle; null if none is of this module. */
  std::shared_ptr<Function> find(const void* handle) const;

 private:
  std::map<std::string, std::shared_ptr<Function>> functions_;
  std::map<std::string, Variable> variables_;

  void addVariables(const simt::Image& image);
};

}  // namespace emulator
