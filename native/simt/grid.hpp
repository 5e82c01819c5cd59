// A launched kernel on the host.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace simt {

/** How a kernel came to its end. */
enum class Ending : uint32_t {
  /** All its threads returned or exited. */
  RETURNED,
  /** A thread ran into a trap. */
  TRAPPED,
  /** A thread accessed what is not there. */
  ILLEGAL_ADDRESS,
  /** Somebody ended it. */
  KILLED
};

/** What a launch is given besides the kernel and its parameters. */
struct Shape {
  uint32_t blocks;
  uint32_t threads;
  uint32_t sharedBytes;
};

/**
 * A kernel that runs, each block on an operating system thread of its own. The first of its threads
 * that breaks takes all others with it: at the next place where they wait, or ask for the time.
 */
class Grid : public std::enable_shared_from_this<Grid> {
 public:
  using Body = std::function<void()>;
  /** Called once for each block, on its thread, when the block has ended. */
  using BlockEnded = std::function<void()>;

  Grid(const Shape& shape, Body body, BlockEnded blockEnded)
      : shape_(shape), body_(std::move(body)), blockEnded_(std::move(blockEnded)) {}

  /** Begins a block, each once. */
  void begin(uint32_t block);

  const Shape& shape() const { return shape_; }

  /** How it ended, or is about to. */
  Ending ending() const { return ending_.load(std::memory_order_acquire); }

  /** Makes all its threads end; the first reason stays. */
  void end(Ending reason);

 private:
  friend class Block;

  Shape shape_;
  Body body_;
  BlockEnded blockEnded_;
  std::atomic<Ending> ending_{Ending::RETURNED};
};

}  // namespace simt
