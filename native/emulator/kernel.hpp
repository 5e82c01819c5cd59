// A launch of a kernel: checked when it is submitted, run when its turn comes.
#pragma once

#include <memory>
#include <vector>

#include "cuda_api.hpp"
#include "grid.hpp"
#include "registry.hpp"

namespace emulator {

struct Function;

/** What is launched, with what. */
struct Launch {
  std::shared_ptr<Function> function;
  simt::Shape shape;
  /** Copies of the parameters. */
  std::vector<std::vector<uint8_t>> parameters;

  /** Copies and checks what a caller states. */
  static Launch of(const CUDA_KERNEL_NODE_PARAMS& stated);

  /** Checks that all blocks are resident at once. */
  void requireCooperative() const;

  /** Runs it to its end. Called without the lock. */
  void run() const;
};

}  // namespace emulator
