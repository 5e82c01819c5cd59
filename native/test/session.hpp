// A kernel with its memory and its ring, launched as often as a test wants.
#pragma once

#include <algorithm>
#include <memory>

#include "device.hpp"
#include "host_ring.hpp"
#include "shape.hpp"

struct Shape {
  uint32_t workers = 4;
  uint32_t workersPerBlock = 4;
  uint32_t threadsPerWorker = 32;
  uint32_t slots = 16;
  uint64_t startPosition = 0;
  uint64_t iterationLimit = 0;
  uint64_t idleBudgetNanos = 0;
  uint64_t stateBytes = 0;
  uint64_t timeLimitNanos = 0;
  uint32_t allThreadsFrom = 0;
};

class Session {
 public:
  Session(Device& device, const char* kernel, const Shape& shape)
      : device_(device),
        kernel_(kernel),
        info_(device.info(kernel)),
        erased_(shapeOf(info_)),
        shape_(shape),
        blocks_((shape.workers + shape.workersPerBlock - 1) / shape.workersPerBlock),
        layout_(controlBytes(shape.workers), shape.slots, info_.requestMaxBytes,
                info_.responseMaxBytes),
        region_(device.mapped(layout_.end)),
        ring_(region_.host, layout_, shape.startPosition) {
    launch_.memory = region_.device;
    launch_.state = freshState();
    launch_.staging =
        device.memory(static_cast<uint64_t>(shape.workers) * info_.stagingBytesPerWorker);
    uint64_t state = std::max(info_.userStateBytes, shape.stateBytes);
    launch_.statePages = (state + ringkernel::STATE_PAGE_BYTES - 1) / ringkernel::STATE_PAGE_BYTES;
    launch_.user = device.memory(launch_.statePages * ringkernel::STATE_PAGE_BYTES);
    launch_.iterationLimit = shape.iterationLimit;
    launch_.idleBudgetNanos = shape.idleBudgetNanos;
    launch_.timeLimitNanos = shape.timeLimitNanos;
    launch_.workers = shape.workers;
    launch_.workersPerBlock = shape.workersPerBlock;
    launch_.threadsPerWorker = shape.threadsPerWorker;
    launch_.allThreadsFrom = shape.allThreadsFrom;
    identify();
  }

  ~Session() {
    command(ringkernel::Command::STOP);
    try {
      awaitEnd();
    } catch (const std::exception&) {
      // The test has failed already, and says why.
    }
  }

  host::Ring& ring() { return ring_; }
  uint8_t* memory() { return region_.host; }
  const host::Layout& layout() const { return layout_; }
  uint64_t userState() const { return launch_.user; }
  uint64_t launches() const { return launches_; }

  void start() {
    command(ringkernel::Command::RUN);
    launches_++;
    reinterpret_cast<ringkernel::ControlBlock*>(region_.host)->device.launches = launches_;
    device_.launch(kernel_, erased_, blocks_, shape_.workersPerBlock * shape_.threadsPerWorker,
                   shape_.workersPerBlock * info_.sharedBytesPerWorker);
  }

  /**
   * Has another kernel go on with the ring, which remembers nothing of the one before.
   * @param unanswered the positions that it serves before those from the head on
   */
  void takeOver(const std::vector<uint64_t>& unanswered) {
    launch_.state = freshState();
    Device::Mapped order = device_.mapped((unanswered.size() + 1) * sizeof(uint64_t));
    auto* positions = reinterpret_cast<uint64_t*>(order.host);
    std::copy(unanswered.begin(), unanswered.end(), positions);
    positions[unanswered.size()] = ring_.head();
    launch_.servingOrder = order.device;
    launch_.takenOver = unanswered.size();
  }

  void tellToStop() { command(ringkernel::Command::STOP); }

  void stop() {
    tellToStop();
    awaitEnd();
  }

  /** Waits until every worker has told that it is in this launch, with a status. */
  void awaitWorkers(ringkernel::WorkerStatus status) {
    host::Deadline deadline(60);
    uint64_t expected = static_cast<uint64_t>(status) | launches_ << 32;
    for (uint32_t worker = 0; worker < shape_.workers; worker++) {
      while (__atomic_load_n(reinterpret_cast<const uint64_t*>(&line(worker)), __ATOMIC_ACQUIRE) !=
             expected) {
        deadline.check("the lines of the workers");
      }
    }
  }

  /** What an event-driven host does when it waits: launch anew if the kernel has ended. */
  void relaunchIfEnded() {
    if (device_.hasEnded()) {
      start();
    }
  }

  void awaitEnd() {
    host::Deadline deadline(60);
    while (!device_.hasEnded()) {
      deadline.check("the end of the kernel");
    }
  }

  bool hasEnded() { return device_.hasEnded(); }

  /** Sends a request. */
  uint64_t send(const void* message, uint32_t length) {
    uint64_t position = ring_.claim();
    ring_.publish(position, message, length);
    return position;
  }

  /** Waits for a response and takes it. */
  host::Reply receive(uint64_t position, void* message, uint32_t capacity,
                      bool relaunching = false) {
    host::Deadline deadline(60);
    while (!ring_.isAnswered(position)) {
      deadline.check("a response");
      if (relaunching) {
        relaunchIfEnded();
      }
    }
    host::Reply reply = ring_.read(position, message, capacity);
    ring_.release(position);
    return reply;
  }

  uint64_t processed() const { return sum(offsetof(ringkernel::WorkerLine, processed)); }
  uint64_t failed() const { return sum(offsetof(ringkernel::WorkerLine, failed)); }
  uint64_t heartbeat() const { return sum(offsetof(ringkernel::WorkerLine, heartbeat)); }

  /** Requests whose time on the device was counted. */
  uint64_t timed() const {
    uint64_t timed = 0;
    for (uint32_t worker = 0; worker < shape_.workers; worker++) {
      for (uint32_t count : line(worker).times.counts) {
        timed += count;
      }
    }
    return timed;
  }

 private:
  Device& device_;
  const char* kernel_;
  ringkernel::KernelInfo info_;
  ringkernel::ErasedLaunch erased_;
  ringkernel::Launch& launch_ = erased_.launch;
  Shape shape_;
  uint32_t blocks_;
  host::Layout layout_;
  Device::Mapped region_;
  host::Ring ring_;
  uint64_t launches_ = 0;

  /** The launch of a worker that is told the shape of its messages; of others, nothing. */
  static ringkernel::ErasedLaunch shapeOf(ringkernel::KernelInfo& info) {
    ringkernel::ErasedLaunch erased = {};
    if ((info.flags & ringkernel::FLAG_ERASED) != 0) {
      erased.shape = shape::of(info);
      info.sharedBytesPerWorker += erased.shape.sharedBytes;
      info.stagingBytesPerWorker = erased.shape.stagingBytes;
    }
    return erased;
  }

  uint64_t freshState() {
    return device_.memory(blocks_ * info_.stateBytesPerBlock +
                          shape_.workers * info_.stateBytesPerWorker);
  }

  static uint32_t controlBytes(uint32_t workers) {
    return ringkernel::aligned(sizeof(ringkernel::ControlBlock) + workers * ringkernel::LINE_BYTES,
                               4096);
  }

  void identify() {
    auto* control = reinterpret_cast<ringkernel::ControlBlock*>(region_.host);
    auto& identity = control->identity;
    identity.magic = ringkernel::REGION_MAGIC;
    identity.abiVersion = ringkernel::ABI_VERSION;
    identity.slots = layout_.slots;
    identity.workers = shape_.workers;
    identity.skippedLapsOffset = layout_.skippedLaps;
    identity.requests = layout_.requests;
    identity.responses = layout_.responses;
    identity.requestFingerprint = info_.requestFingerprint;
    identity.responseFingerprint = info_.responseFingerprint;
    identity.startPosition = shape_.startPosition;
  }

  void command(ringkernel::Command command) {
    auto* word =
        reinterpret_cast<uint32_t*>(region_.host + offsetof(ringkernel::ControlBlock, host));
    __atomic_store_n(word, static_cast<uint32_t>(command), __ATOMIC_RELEASE);
  }

  const ringkernel::WorkerLine& line(uint32_t worker) const {
    return reinterpret_cast<const ringkernel::WorkerLine*>(
        region_.host + sizeof(ringkernel::ControlBlock))[worker];
  }

  uint64_t sum(size_t field) const {
    uint64_t sum = 0;
    for (uint32_t worker = 0; worker < shape_.workers; worker++) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(&line(worker));
      sum += __atomic_load_n(reinterpret_cast<const uint64_t*>(bytes + field), __ATOMIC_RELAXED);
    }
    return sum;
  }
};
