#include "module.hpp"

#include <algorithm>
#include <cstring>

#include "device.hpp"
#include "occupancy.hpp"
#include "ptx.hpp"

namespace emulator {
namespace {

/** Begins what the emulator's linker makes, as a cubin begins: the PTX that it is made of follows.
 */
const std::string MACHINE_CODE =
    "\x7f"
    "ELF of the emulator\n";

/** How many lines two texts have in common before they differ. */
size_t commonLines(const std::vector<std::string_view>& one,
                   const std::vector<std::string_view>& other) {
  size_t count = 0;
  while (count < one.size() && count < other.size() && one[count] == other[count]) {
    count++;
  }
  return count;
}

std::string lineAt(const std::vector<std::string_view>& lines, size_t index) {
  return index < lines.size() ? std::string(lines[index]) : "its end";
}

void checkVersions(const std::string& ptx) {
  int version = ptx::version(ptx);
  if (version == 0) {
    throw Rejection{CUDA_ERROR_INVALID_IMAGE, "the image is no PTX text"};
  }
  if (ptx::requiredDriver(version) > Platform::current().driverVersion) {
    throw Rejection{CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "ptxas fatal   : Unsupported .version " +
                                                            std::to_string(version / 10) + "." +
                                                            std::to_string(version % 10)};
  }
  if (ptx::target(ptx) > Platform::current().capability) {
    throw Rejection{CUDA_ERROR_NO_BINARY_FOR_GPU,
                    "ptxas fatal   : SM version specified by .target is higher than this device's"};
  }
}

/** The image that a text is of: one that is whole, or a handler, and its worker. */
struct Known {
  const simt::Image* image;
  const simt::Image* handler;
};

using Lines = std::vector<std::string_view>;

/** Adds the lines of a handler to those of its worker. */
Lines linked(Lines worker, const Lines& handler) {
  worker.insert(worker.end(), handler.begin(), handler.end());
  return worker;
}

/** The workers that handlers are linked with. */
bool isWorker(const simt::Image& image) {
  return image.name == "product/worker" || image.name == "product/small_worker" ||
         image.name == "product/assisted_worker";
}

/** The worker that a text begins with; null if it begins with none, or is one alone. */
const simt::Image* workerOf(const Lines& lines) {
  for (const simt::Image& image : simt::images()) {
    auto known = isWorker(image) ? ptx::lines(image.ptx) : Lines{};
    if (!known.empty() && lines.size() > known.size() &&
        commonLines(lines, known) == known.size()) {
      return &image;
    }
  }
  return nullptr;
}

Known knownOf(const std::string& ptx) {
  auto lines = ptx::lines(ptx);
  const simt::Image* worker = workerOf(lines);
  auto ofWorker = worker == nullptr ? Lines{} : ptx::lines(worker->ptx);
  const simt::Image* nearest = nullptr;
  Lines ofNearest;
  size_t common = 0;
  for (const simt::Image& image : simt::images()) {
    bool isHandler = worker != nullptr && image.handle != nullptr;
    auto known = isHandler ? linked(ofWorker, ptx::lines(image.ptx)) : ptx::lines(image.ptx);
    size_t count = commonLines(lines, known);
    if (count == lines.size() && count == known.size()) {
      return isHandler ? Known{worker, &image} : Known{&image, nullptr};
    }
    if (nearest == nullptr || count > common) {
      nearest = &image;
      ofNearest = known;
      common = count;
    }
  }
  throw Rejection{CUDA_ERROR_INVALID_PTX,
                  "ptxas application ptx input; error   : '" + lineAt(lines, common) +
                      "' is not what the emulator was built with, which is '" +
                      lineAt(ofNearest, common) + "' of " + nearest->name +
                      ". It runs no other PTX; run native/emulator/build.sh if that has changed"};
}

/** The text says what its source says: it was built anew after the source was changed. */
void checkImage(const simt::Image& image) {
  for (const simt::Variable& variable : image.variables) {
    auto stated = ptx::bytes(image.ptx, variable.name);
    if (stated.size() != variable.bytes ||
        memcmp(stated.data(), variable.at, variable.bytes) != 0) {
      throw Rejection{CUDA_ERROR_INVALID_PTX, "the PTX of " + image.name +
                                                  " is not that of its source: " + variable.name +
                                                  " differs. Run native/build.sh"};
    }
  }
}

void checkUpToDate(const Known& known) {
  checkImage(*known.image);
  if (known.handler != nullptr) {
    checkImage(*known.handler);
  }
}

std::shared_ptr<Function> functionOf(const Known& known, const simt::Kernel& kernel) {
  const simt::Image& image = *known.image;
  auto function = std::make_shared<Function>();
  function->kernel = &kernel;
  function->handle = known.handler == nullptr ? nullptr : known.handler->handle;
  function->maxThreads = ptx::maxThreads(image.ptx, kernel.name);
  // What the bound of the threads leaves each of them.
  function->registers = std::min(255, REGISTERS_PER_MULTIPROCESSOR / function->maxThreads);
  function->staticSharedBytes = ptx::staticSharedBytes(image.ptx, kernel.name);
  function->maxDynamicSharedBytes = DEFAULT_SHARED_BYTES_PER_BLOCK - function->staticSharedBytes;
  return function;
}

}  // namespace

std::shared_ptr<Function> Function::of(CUfunction handle) {
  for (const auto& module : Device::get().modules.all()) {
    if (std::shared_ptr<Function> function = module.second->find(handle)) {
      return function;
    }
  }
  throw Failure{CUDA_ERROR_INVALID_HANDLE};
}

std::shared_ptr<Module> Module::of(CUmodule handle) {
  return Device::get().modules.get(handle);
}

void Linker::add(const std::string& ptx) {
  checkVersions(ptx);
  checkUpToDate(knownOf(ptx));
  texts += ptx;
}

void Linker::complete() {
  checkUpToDate(knownOf(texts));
  code = MACHINE_CODE + texts;
}

std::shared_ptr<Module> Module::of(const std::string& code) {
  bool isLinked = code.compare(0, MACHINE_CODE.size(), MACHINE_CODE) == 0;
  std::string ptx = isLinked ? code.substr(MACHINE_CODE.size()) : code;
  checkVersions(ptx);
  Known known = knownOf(ptx);
  checkUpToDate(known);
  if (isWorker(*known.image) && known.handler == nullptr) {
    throw Rejection{CUDA_ERROR_INVALID_PTX,
                    "ptxas fatal   : Unresolved extern function 'ringkernel_handle'"};
  }
  auto module = std::make_shared<Module>();
  for (const simt::Kernel& kernel : known.image->kernels) {
    module->functions_[kernel.name] = functionOf(known, kernel);
  }
  module->addVariables(*known.image);
  if (known.handler != nullptr) {
    module->addVariables(*known.handler);
  }
  return module;
}

void Module::addVariables(const simt::Image& image) {
  Memory& memory = Device::get().memory;
  for (const simt::Variable& variable : image.variables) {
    // Variables are not counted as memory that was allocated.
    const Allocation& copy = memory.allocate(variable.bytes, MemoryKind::DEVICE, 0, UINT64_MAX);
    memcpy(reinterpret_cast<void*>(copy.base), variable.at, variable.bytes);
    variables_[variable.name] = {copy.base, variable.bytes};
  }
}

Module::~Module() {
  for (const auto& variable : variables_) {
    Device::get().memory.free(variable.second.at, MemoryKind::DEVICE);
  }
}

const std::shared_ptr<Function>& Module::function(const std::string& name) const {
  auto found = functions_.find(name);
  require(found != functions_.end(), CUDA_ERROR_NOT_FOUND);
  return found->second;
}

const Module::Variable& Module::variable(const std::string& name) const {
  auto found = variables_.find(name);
  require(found != variables_.end(), CUDA_ERROR_NOT_FOUND);
  return found->second;
}

std::shared_ptr<Function> Module::find(const void* handle) const {
  for (const auto& function : functions_) {
    if (function.second.get() == handle) {
      return function.second;
    }
  }
  return nullptr;
}

}  // namespace emulator
