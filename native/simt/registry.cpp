#include "registry.hpp"

#include <stdexcept>

namespace simt {

thread_local Handle handling;

std::vector<Image>& images() {
  static std::vector<Image>& all = *new std::vector<Image>();
  return all;
}

const Image& image(const std::string& name) {
  for (const Image& image : images()) {
    if (image.name == name) {
      return image;
    }
  }
  throw std::out_of_range("no image " + name);
}

}  // namespace simt

/** What the worker was compiled with in place of a handler. */
extern "C" simt::Handled ringkernel_handle(void* call, const void* in, uint32_t length, void* out,
                                           uint32_t lane, uint32_t lanes) {
  return simt::handling(call, in, length, out, lane, lanes);
}
