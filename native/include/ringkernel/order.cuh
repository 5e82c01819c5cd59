// What the warps of a worker tell each other, and where.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/block.cuh>
#include <ringkernel/context.cuh>
#include <ringkernel/ring.cuh>
#include <ringkernel/staging.cuh>
#include <ringkernel/worker_line.cuh>

namespace ringkernel {

/** What the first warp of a worker tells the others to do. */
struct alignas(PART_ALIGNMENT) Order {
  enum Kind : uint32_t { LEAVE, SERVE, RETURN_WITHDRAWN, ASSIST };

  Kind kind;
  uint32_t length;
  /** Of a request in a payload: how many bytes of it are there. */
  uint32_t available;
  Place place;
};

/** What there is to tell the host of a request. */
struct Outcome {
  MessageKind kind;
  uint32_t length;
  uint32_t detail;
  Reply reply;
};

/**
 * The shared memory of a worker besides its small messages, which follow it.
 *
 * @tparam Frame what the call of the handler needs
 */
template <typename Frame>
struct alignas(PART_ALIGNMENT) WorkerShared : Frame {
  Order order;
  Part part;
  Failure failure;
  Meeting meeting;
  Block::Stay stay;
  WorkerReport report;
  /** When the worker kept house, in ticks. */
  uint32_t keptAt;
};

}  // namespace ringkernel
