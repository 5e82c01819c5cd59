// The kernels that were compiled for the host, found by the PTX that was compiled from the same
// sources for a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simt {

/** An entry of an image. */
struct Kernel {
  std::string name;
  /** Calls it with its parameters, as cuLaunchKernel takes them. */
  void (*call)(void* const* parameters);
  std::vector<size_t> parameterBytes;
};

/** A variable of an image, such as the description of a kernel. */
struct Variable {
  std::string name;
  const void* at;
  size_t bytes;
};

/** What a handler returns: ringkernel::Handled, of which each image has a type of its own. */
struct Handled {
  uint32_t words[3];
};

/** A handler that is called by a worker which was compiled without it. */
using Handle = Handled (*)(void* call, const void* in, uint32_t length, void* out, uint32_t lane,
                           uint32_t lanes);

/** The handler of the kernel that runs on this thread of the operating system. */
extern thread_local Handle handling;

/** What one source file became. */
struct Image {
  /** Its folder and name: "test/echo". */
  std::string name;
  std::string_view ptx;
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;
  /** What it is to a worker; null if it has a worker of its own. */
  Handle handle = nullptr;
};

/** All images, in no order. */
std::vector<Image>& images();

/** The image of a name; throws std::out_of_range. */
const Image& image(const std::string& name);

/** Makes a kernel of a function; the type tells apart those that images name alike. */
template <auto FUNCTION, typename Source>
struct KernelOf;

template <typename... Parameter, void (*FUNCTION)(Parameter...), typename Source>
struct KernelOf<FUNCTION, Source> {
  static void call(void* const* parameters) {
    call(parameters, std::index_sequence_for<Parameter...>());
  }

  template <size_t... INDEX>
  static void call([[maybe_unused]] void* const* parameters, std::index_sequence<INDEX...>) {
    FUNCTION(*static_cast<const Parameter*>(parameters[INDEX])...);
  }

  static Kernel named(const char* name) { return {name, call, {sizeof(Parameter)...}}; }
};

}  // namespace simt
