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
  }

  __device__ void save(WorkerState& state) const {
    state.processed = processed_;
    state.failed = failed_;
    state.heartbeat = heartbeat_;
  }

  __device__ void failed() { failed_++; }

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
  }

 private:
  uint64_t processed_;
  uint64_t failed_;
  uint64_t heartbeat_;
};

}  // namespace ringkernel
