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
  __device__ void resume(const WorkerState& state) {
    processed_ = state.processed;
    failed_ = state.failed;
    heartbeat_ = state.heartbeat;
    times_ = state.times;
  }

  __device__ void save(WorkerState& state) const {
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

  /**
   * Counts the request that was found, by its time; called once its response is on its way, as
   * nobody waits then.
   */
  __device__ void answered(bool failed) {
    failed_ += failed;
    uint32_t ticks = now() - found_;
    uint32_t bucket = 32 - __clz(ticks >> DeviceTimes::FIRST_BITS);
    bucket = bucket < DeviceTimes::BUCKETS ? bucket : DeviceTimes::BUCKETS - 1;
    uint32_t& count = times_.counts[bucket];
    uint32_t next = count + 1;
    count = next != 0 ? next : count;
    times_.ticks += ticks;
  }

  /**
   * Tells how things are.
   * @param answered how many requests were answered since it was told the last time
   */
  __device__ void tell(const Launch& launch, uint32_t worker, WorkerStatus status,
                       uint32_t answered) {
    auto* line = reinterpret_cast<uint8_t*>(launch.memory) + sizeof(ControlBlock) +
                 static_cast<uint64_t>(worker) * sizeof(WorkerLine);
    processed_ += answered;
    heartbeat_++;
    machine::storePair(line, {static_cast<uint64_t>(status), heartbeat_});
    machine::storePair(line + offsetof(WorkerLine, processed), {processed_, failed_});
    const auto* times = reinterpret_cast<const machine::Pair*>(&times_);
#pragma unroll
    for (uint32_t i = 0; i < sizeof(DeviceTimes) / sizeof(machine::Pair); i++) {
      machine::storePair(line + offsetof(WorkerLine, times) + i * sizeof(machine::Pair), times[i]);
    }
  }

 private:
  uint64_t processed_;
  uint64_t failed_;
  uint64_t heartbeat_;
  uint32_t found_;
  DeviceTimes times_;
};

}  // namespace ringkernel
