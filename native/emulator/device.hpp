// A device, and what all calls that concern it share: its lock, and whether it is lost.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "cuda_api.hpp"
#include "grid.hpp"
#include "memory.hpp"
#include "platform.hpp"

namespace emulator {

class Stream;
class Module;
struct Linker;
struct Event;
struct Graph;
struct GraphExec;

/** Thrown by the body of a call, which then returns the code. */
struct Failure {
  CUresult code;
};

inline void require(bool condition, CUresult otherwise) {
  if (!condition) {
    throw Failure{otherwise};
  }
}

using Lock = std::unique_lock<std::mutex>;

/** Objects by the handles that name them: an address that is none is not followed. */
template <typename T>
class Handles {
 public:
  void* add(std::shared_ptr<T> object) {
    void* handle = object.get();
    objects_[handle] = std::move(object);
    return handle;
  }

  const std::shared_ptr<T>& get(const void* handle) const {
    auto found = objects_.find(handle);
    require(found != objects_.end(), CUDA_ERROR_INVALID_HANDLE);
    return found->second;
  }

  std::shared_ptr<T> remove(const void* handle) {
    std::shared_ptr<T> object = get(handle);
    objects_.erase(handle);
    return object;
  }

  const std::map<const void*, std::shared_ptr<T>>& all() const { return objects_; }

 private:
  std::map<const void*, std::shared_ptr<T>> objects_;
};

class Device;

/** What a thread makes its calls in: that of a device which all share, or one of its own. */
struct Context {
  Device& device;
};

/** The context that is current on this thread; null for none. */
extern thread_local Context* currentContext;

/** All members but the lock are used with the lock held. */
class Device {
 public:
  /** That of the current context, or the first. */
  static Device& get();

  /** A device by its number, which lives for as long as the process. */
  static Device& at(int ordinal);

  const int ordinal;

  std::mutex mutex;
  /** Something has changed that somebody may wait for. */
  std::condition_variable changed;

  bool retained = false;
  Context primary{*this};
  /** Those that were made besides; not guarded by the device's lock. */
  std::vector<std::unique_ptr<Context>> contexts;
  Memory memory;
  Handles<Module> modules;
  Handles<Linker> linkers;
  Handles<Stream> streams;
  Handles<Event> events;
  Handles<Graph> graphs;
  Handles<GraphExec> graphExecs;
  std::shared_ptr<Stream> legacy;

  /** Kernels that were launched and have not ended. */
  uint32_t kernels = 0;

  /** Why the device is lost, with all that ran on it. */
  CUresult loss() const { return loss_; }

  /**
   * What every call in a context of the device returns. After a fault of a kernel, driver 580
   * returns that for the other devices of the process too, whose kernels run on.
   */
  CUresult answer() const { return loss_ != CUDA_SUCCESS ? loss_ : fault.load(); }

  /** The device is lost to this process, with all that runs on it. */
  void lose(CUresult reason);

  /** The same because of what a kernel did. */
  void loseByFault(CUresult reason);

  /** Waits until something holds, or the device is lost. */
  template <typename Condition>
  void await(Lock& lock, Condition condition) {
    changed.wait(lock, [&] { return loss_ != CUDA_SUCCESS || condition(); });
  }

  /** Waits for all that was submitted in the current context until now, as much of the driver does.
   */
  void awaitAll(Lock& lock);

  /** A kernel that runs, as long as it is kept. */
  void begin(const std::shared_ptr<simt::Grid>& grid);
  void end(const std::shared_ptr<simt::Grid>& grid) { grids_.erase(grid); }

  /** Takes a place for a block, if there is one. */
  bool reserve(const simt::Shape& shape);
  void release(const simt::Shape& shape) { residentThreads_ -= shape.threads; }

  bool hasRoomForGrid() const { return grids_.size() < MAX_GRIDS; }

 private:
  explicit Device(int ordinal) : ordinal(ordinal) {}

  /** Resident grids of a device. */
  static constexpr size_t MAX_GRIDS = 128;

  std::set<std::shared_ptr<simt::Grid>> grids_;
  uint64_t residentThreads_ = 0;
  bool loseLater_ = true;
  inline static std::atomic<CUresult> fault{CUDA_SUCCESS};

  CUresult loss_ = CUDA_SUCCESS;
};

}  // namespace emulator
