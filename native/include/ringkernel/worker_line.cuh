// What a worker tells of itself. It is written rarely: a store per request would cost the bus as
// much as a response does.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

/** What a worker leaves behind for its next launch. */
struct alignas(32) WorkerState {
  /** The ticket that it holds, plus one; 0 if it holds none. */
  uint64_t heldTicket;
  uint64_t processed;
  uint64_t failed;
  uint64_t heartbeat;
  DeviceTimes times;
};

/**
 * The counters of a worker, in its shared memory; only its first thread touches them.
 *
 * In the line they order nothing; they pair with the opaque loads of
 * io.ringkernel.control.ControlBlock.
 */
class WorkerReport {
 public:
  /**
   * Goes on from the launch before. The first launch goes on from the line: in a fresh ring that is
   * zero, otherwise it tells what was counted by the loop that served the ring before, which has
   * ended, so that no count ever goes back.
   */
  __device__ void resume(const Launch& launch, uint32_t worker, const WorkerState& state) {
    processed_ = state.processed;
    failed_ = state.failed;
    heartbeat_ = state.heartbeat;
    times_ = state.times;
    if (heartbeat_ == 0) {
      resumeFromLine(lineOf(launch, worker));
    }
    untold_ = 0;
    toldAt_ = 0;
  }

  /** Counts for the last time, and keeps what the next launch needs. */
  __device__ void leave(WorkerState& state) {
    hasTold_ = untold_ == 0;
    count();
    heartbeat_++;
    state.processed = processed_;
    state.failed = failed_;
    state.heartbeat = heartbeat_;
    state.times = times_;
  }

  /** The time in ticks: of differences, those below half a minute are right. */
  __device__ static uint32_t now() {
    return static_cast<uint32_t>(machine::cycles() / DeviceTimes::CYCLES_PER_TICK);
  }

  /** A request was found. Not kept in a register: those are for handlers. */
  __device__ void found(uint32_t now) { found_ = now; }

  /** A request was answered that was not handled. */
  __device__ void withdrawn() { untold_++; }

  /** For how long the worker has found nothing, in ticks. */
  __device__ uint32_t sinceFound(uint32_t now) const { return now - found_; }

  /**
   * Counts the request that was found, by its time; called once its response is on its way, as
   * nobody waits then.
   */
  __device__ void answered(uint32_t now, bool failed) {
    failed_ += failed;
    untold_++;
    uint32_t ticks = now - found_;
    uint32_t bucket = 32 - __clz(ticks >> DeviceTimes::FIRST_BITS);
    bucket = bucket < DeviceTimes::BUCKETS ? bucket : DeviceTimes::BUCKETS - 1;
    uint32_t& count = times_.counts[bucket];
    uint32_t next = count + 1;
    count = next != 0 ? next : count;
    times_.ticks += ticks;
  }

  /** Tells that the worker has come up. */
  __device__ void present(const Launch& launch, uint32_t worker, uint32_t number) {
    heartbeat_++;
    storeHead(lineOf(launch, worker), number, WorkerStatus::POLLING);
  }

  /**
   * Tells how things are, if there is something to tell: that the worker lives, once in a while,
   * and what it has counted, when it rests.
   * @param number of the launch
   * @param rests whether nothing has come for a while
   * @param now in nanoseconds
   */
  __device__ void tell(const Launch& launch, uint32_t worker, uint32_t number, bool rests,
                       uint64_t now) {
    bool isDue = now - toldAt_ >= HEARTBEAT_NANOS;
    if (!isDue && !(rests && untold_ != 0)) {
      return;
    }
    toldAt_ = now;
    uint8_t* line = lineOf(launch, worker);
    if (untold_ != 0) {
      count();
      storeCounts(line);
    }
    heartbeat_++;
    storeHead(line, number, WorkerStatus::POLLING);
  }

  /**
   * Tells that the worker has ended, by the last store of all that it does. The fence orders it
   * behind every other, of responses above all; it pairs with the load of
   * io.ringkernel.control.ControlBlock.allHaveEnded. In the host's own memory the line has the
   * counts already if none has changed since they were told: of a launch for one request, all
   * workers but one have counted nothing.
   */
  __device__ void conclude(const Launch& launch, uint32_t worker, uint32_t number) const {
    uint8_t* line = lineOf(launch, worker);
    bool isHosts = number != 0;
    if (!isHosts || !hasTold_) {
      storeCounts(line);
    }
    machine::fenceSystem();
    storeHead(line, number, WorkerStatus::OUT);
  }

 private:
  static constexpr uint64_t HEARTBEAT_NANOS = 1'000'000;

  uint64_t processed_;
  uint64_t failed_;
  uint64_t heartbeat_;
  uint64_t toldAt_;
  uint32_t untold_;
  bool hasTold_;
  uint32_t found_;
  DeviceTimes times_;

  __device__ static uint8_t* lineOf(const Launch& launch, uint32_t worker) {
    return reinterpret_cast<uint8_t*>(launch.memory) + sizeof(ControlBlock) +
           static_cast<uint64_t>(worker) * sizeof(WorkerLine);
  }

  __device__ void resumeFromLine(const uint8_t* line) {
    heartbeat_ = machine::loadPair(line).second;
    machine::Pair counts = machine::loadPair(line + offsetof(WorkerLine, processed));
    processed_ = counts.first;
    failed_ = counts.second;
    auto* times = reinterpret_cast<machine::Pair*>(&times_);
#pragma unroll 1
    for (uint32_t i = 0; i < sizeof(DeviceTimes) / sizeof(machine::Pair); i++) {
      times[i] = machine::loadPair(line + offsetof(WorkerLine, times) + i * sizeof(machine::Pair));
    }
  }

  __device__ void count() {
    processed_ += untold_;
    untold_ = 0;
  }

  __device__ void storeHead(uint8_t* line, uint32_t number, WorkerStatus status) const {
    machine::storePair(
        line, {static_cast<uint64_t>(status) | static_cast<uint64_t>(number) << 32, heartbeat_});
  }

  __device__ void storeCounts(uint8_t* line) const {
    machine::storePair(line + offsetof(WorkerLine, processed), {processed_, failed_});
    const auto* times = reinterpret_cast<const machine::Pair*>(&times_);
#pragma unroll
    for (uint32_t i = 0; i < sizeof(DeviceTimes) / sizeof(machine::Pair); i++) {
      machine::storePair(line + offsetof(WorkerLine, times) + i * sizeof(machine::Pair), times[i]);
    }
  }
};

}  // namespace ringkernel
