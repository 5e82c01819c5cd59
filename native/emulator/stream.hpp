// A stream: work that is done in the order in which it was submitted, on a thread of its own.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "device.hpp"
#include "kernel.hpp"

namespace emulator {

class Stream;

/** A place in a stream's order, which it will have worked up to. */
struct Position {
  std::shared_ptr<const Stream> stream;
  uint64_t number;

  bool isReached() const;
};

/** What is done in a stream, or in a graph. */
struct Work {
  /** Called without the lock. */
  std::function<void()> run;
  /** What is launched, where it is a kernel. */
  std::optional<Launch> launch;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  /** Makes one and begins its thread. */
  static std::shared_ptr<Stream> create(unsigned flags);

  /** The stream of a handle. */
  static std::shared_ptr<Stream> of(CUstream handle);

  unsigned flags() const { return flags_; }

  /** The context that it was made in, which its work is done in. */
  Context* context() const { return context_; }

  /** Adds work behind what is there; or to the graph, if the stream is being captured. */
  Position submit(Work work);

  Position end() const { return {shared_from_this(), submitted_}; }

  bool isDone() const { return completed_ == submitted_; }
  uint64_t completed() const { return completed_; }

  /** Ends the thread once all is done. */
  void destroy();

  void beginCapture();
  std::shared_ptr<Graph> endCapture();
  bool isCapturing() const { return captured_ != nullptr; }

 private:
  explicit Stream(unsigned flags) : flags_(flags) {}

  unsigned flags_;
  Context* context_ = currentContext;
  uint64_t submitted_ = 0;
  uint64_t completed_ = 0;
  bool destroyed_ = false;
  std::deque<std::function<void()>> queue_;
  std::shared_ptr<Graph> captured_;

  bool isBlocking() const { return (flags_ & CU_STREAM_NON_BLOCKING) == 0; }
  std::vector<Position> predecessors() const;
  void work();
};

}  // namespace emulator
