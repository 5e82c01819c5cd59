// The shape of messages as a launch tells it: what io.ringkernel.cuda.image.MessageShape computes.
#pragma once

#include <ringkernel/abi.cuh>

namespace shape {

inline uint32_t sharedBytes(uint32_t inlined) {
  return ringkernel::aligned(ringkernel::dataChunks(inlined) * ringkernel::CHUNK_DATA_BYTES,
                             ringkernel::PART_ALIGNMENT);
}

inline uint32_t stagingBytes(uint32_t maxBytes, uint32_t inlined) {
  return maxBytes > inlined ? ringkernel::aligned(maxBytes, ringkernel::LINE_BYTES) : 0;
}

inline ringkernel::MessageShape of(const ringkernel::KernelInfo& info) {
  ringkernel::MessageShape shape = {};
  shape.requestFixedBytes = info.requestFixedBytes;
  shape.requestMaxBytes = info.requestMaxBytes;
  shape.requestInlineBytes = ringkernel::inlineBytes(info.requestMaxBytes);
  shape.requestInlineChunks = ringkernel::dataChunks(shape.requestInlineBytes);
  shape.responseFixedBytes = info.responseFixedBytes;
  shape.responseMaxBytes = info.responseMaxBytes;
  shape.responseInlineBytes = ringkernel::inlineBytes(info.responseMaxBytes);
  shape.responseInlineChunks = ringkernel::dataChunks(shape.responseInlineBytes);
  shape.responseSharedOffset = sharedBytes(shape.requestInlineBytes);
  bool isNearby = info.responseFixedBytes <= shape.responseInlineBytes;
  shape.responseSharedUnits = isNearby ? sharedBytes(shape.responseInlineBytes) / 16 : 0;
  shape.sharedBytes = shape.responseSharedOffset + sharedBytes(shape.responseInlineBytes);
  shape.responseStagingOffset = stagingBytes(shape.requestMaxBytes, shape.requestInlineBytes);
  shape.stagingBytes =
      shape.responseStagingOffset + stagingBytes(shape.responseMaxBytes, shape.responseInlineBytes);
  shape.flags =
      (info.userStateBytes > 0 ? ringkernel::MessageShape::STATEFUL : 0) |
      ((info.flags & ringkernel::FLAG_COOPERATIVE) != 0 ? ringkernel::MessageShape::COOPERATIVE
                                                        : 0);
  return shape;
}

/** What is known of a kernel whose handler is linked with a worker that knows nothing of it. */
inline ringkernel::KernelInfo linked(const ringkernel::KernelInfo& handler,
                                     const ringkernel::KernelInfo& worker) {
  ringkernel::KernelInfo info = handler;
  info.stateBytesPerWorker = worker.stateBytesPerWorker;
  info.stateBytesPerBlock = worker.stateBytesPerBlock;
  info.sharedBytesPerWorker = worker.sharedBytesPerWorker;
  info.maxThreadsPerWorker = worker.maxThreadsPerWorker;
  return info;
}

}  // namespace shape
