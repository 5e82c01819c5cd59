// What a worker knows of the messages of its kernel: sizes, bounds, where they lie. Either the
// compiler knows it all, or the launch tells; the worker is the same.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/machine.cuh>

namespace ringkernel {

/** What a thread moves at once. */
constexpr uint32_t UNIT = sizeof(uint4);

/** The shared memory of a small message: whole chunks are copied. */
RINGKERNEL_SHARED_CODE constexpr uint32_t sharedMessageBytes(uint32_t inlined) {
  return aligned(dataChunks(inlined) * CHUNK_DATA_BYTES, PART_ALIGNMENT);
}

/** The shape of messages that a kernel is compiled with. It has no bytes. */
template <typename Request, typename Response, bool STATEFUL, bool COOPERATIVE>
class CompiledShape {
 public:
  using Parameter = Launch;

  __device__ explicit CompiledShape(const Launch&) {}

  __device__ static const Launch& launch(const Launch& parameter) { return parameter; }

  /** Whether a request may read what another worker has written for an earlier one. */
  __device__ static constexpr bool isStateful() { return STATEFUL; }
  /** Whether the workers meet. */
  __device__ static constexpr bool isCooperative() { return COOPERATIVE; }

  __device__ static constexpr uint32_t requestInlineBytes() { return REQUEST_INLINE; }
  __device__ static constexpr uint32_t requestInlineChunks() { return dataChunks(REQUEST_INLINE); }
  __device__ static constexpr uint32_t requestRows() { return rows(requestInlineChunks()); }
  __device__ static constexpr uint32_t responseInlineBytes() { return RESPONSE_INLINE; }
  __device__ static constexpr uint32_t responseInlineChunks() {
    return dataChunks(RESPONSE_INLINE);
  }
  __device__ static constexpr uint32_t responseRows() { return rows(responseInlineChunks()); }
  __device__ static constexpr uint32_t responseFixedBytes() { return sizeof(Response); }
  __device__ static constexpr uint32_t responseMaxBytes() { return Response::MAX_BYTES; }

  /** Whether a request is in its payload, and may be as long as it says. */
  __device__ static constexpr bool isLargeRequest(uint32_t length) {
    return LARGE_REQUESTS && length > REQUEST_INLINE && length <= Request::MAX_BYTES;
  }

  /** Whether what a header says of a length makes its request one in a payload. */
  __device__ static constexpr bool hasPayload(uint32_t length) {
    return LARGE_REQUESTS && length > REQUEST_INLINE;
  }

  __device__ static constexpr bool isLargeResponse(uint32_t length) {
    return LARGE_RESPONSES && length > RESPONSE_INLINE;
  }

  /** Whether the fixed block of a response lies in shared memory. */
  __device__ static constexpr bool isResponseNearby() { return NEARBY_RESPONSES; }

  /** How much of a response may lie in shared memory. */
  __device__ static constexpr uint32_t nearbyBytes() {
    return LARGE_RESPONSES ? RESPONSE_INLINE : UINT32_MAX;
  }

  __device__ static constexpr uint32_t responseSharedUnits() {
    return NEARBY_RESPONSES ? sharedMessageBytes(RESPONSE_INLINE) / UNIT : 0;
  }

  /** The shared memory of a worker: what it has in any case, and the small messages. */
  template <typename Header>
  struct Shared : Header {
    alignas(PART_ALIGNMENT) uint8_t request[sharedMessageBytes(inlineBytes(Request::MAX_BYTES))];
    alignas(PART_ALIGNMENT) uint8_t response[sharedMessageBytes(inlineBytes(Response::MAX_BYTES))];
  };

  /** That of a worker of the block. */
  template <typename Header>
  __device__ static Shared<Header>& sharedOf(uint32_t worker) {
    return reinterpret_cast<Shared<Header>*>(machine::dynamicShared())[worker];
  }

  template <typename Header>
  __device__ static uint8_t* requestIn(Shared<Header>& shared) {
    return shared.request;
  }

  template <typename Header>
  __device__ static uint8_t* responseIn(Shared<Header>& shared) {
    return shared.response;
  }

  /** Where a worker has device memory for large messages. */
  __device__ static uint8_t* staging(const Launch& launch, uint32_t worker) {
    return reinterpret_cast<uint8_t*>(launch.staging) +
           static_cast<uint64_t>(worker) * stagingBytes();
  }

  /** Says which worker asks for its memory. */
  __device__ static void settle(const Launch&, uint32_t) {}

  __device__ static constexpr uint32_t responseStagingOffset() { return REQUEST_STAGING; }
  RINGKERNEL_SHARED_CODE static constexpr uint32_t stagingBytes() {
    return REQUEST_STAGING + (LARGE_RESPONSES ? aligned(Response::MAX_BYTES, LINE_BYTES) : 0);
  }

 private:
  static constexpr uint32_t REQUEST_INLINE = inlineBytes(Request::MAX_BYTES);
  static constexpr uint32_t RESPONSE_INLINE = inlineBytes(Response::MAX_BYTES);
  static constexpr bool LARGE_REQUESTS = Request::MAX_BYTES > REQUEST_INLINE;
  static constexpr bool LARGE_RESPONSES = Response::MAX_BYTES > RESPONSE_INLINE;
  static constexpr bool NEARBY_RESPONSES = sizeof(Response) <= RESPONSE_INLINE;
  static constexpr uint32_t REQUEST_STAGING =
      LARGE_REQUESTS ? aligned(Request::MAX_BYTES, LINE_BYTES) : 0;
};

/**
 * The shape of messages that a launch tells. It lies in the constant memory of the kernel's
 * parameter, from where instructions take operands: it needs few registers.
 */
class LaunchedShape {
 public:
  using Parameter = ErasedLaunch;

  __device__ explicit LaunchedShape(const ErasedLaunch& parameter)
      : shape_(parameter.shape),
        flags_(machine::kept(parameter.shape.flags)),
        responseSharedOffset_(machine::kept(parameter.shape.responseSharedOffset)) {}

  __device__ static const Launch& launch(const ErasedLaunch& parameter) { return parameter.launch; }

  __device__ bool isStateful() const { return (flags_ & MessageShape::STATEFUL) != 0; }
  __device__ bool isCooperative() const { return (flags_ & MessageShape::COOPERATIVE) != 0; }

  __device__ uint32_t requestInlineBytes() const { return shape_.requestInlineBytes; }
  __device__ uint32_t requestInlineChunks() const { return shape_.requestInlineChunks; }
  __device__ uint32_t requestRows() const { return rows(shape_.requestInlineChunks); }
  __device__ uint32_t responseInlineBytes() const { return shape_.responseInlineBytes; }
  __device__ uint32_t responseInlineChunks() const { return shape_.responseInlineChunks; }
  __device__ uint32_t responseRows() const { return rows(shape_.responseInlineChunks); }
  __device__ uint32_t responseFixedBytes() const { return shape_.responseFixedBytes; }
  __device__ uint32_t responseMaxBytes() const { return shape_.responseMaxBytes; }

  __device__ bool isLargeRequest(uint32_t length) const {
    return length > shape_.requestInlineBytes && length <= shape_.requestMaxBytes;
  }
  __device__ bool hasPayload(uint32_t length) const { return length > shape_.requestInlineBytes; }
  __device__ bool isLargeResponse(uint32_t length) const {
    return length > shape_.responseInlineBytes;
  }
  __device__ bool isResponseNearby() const { return shape_.responseSharedUnits != 0; }
  __device__ uint32_t nearbyBytes() const { return shape_.responseInlineBytes; }
  __device__ uint32_t responseSharedUnits() const { return shape_.responseSharedUnits; }

  /** The small messages of a worker follow what it has in any case. */
  template <typename Header>
  using Shared = Header;

  template <typename Header>
  __device__ Header& sharedOf(uint32_t worker) const {
    uint32_t stride = static_cast<uint32_t>(sizeof(Header)) + shape_.sharedBytes;
    return *reinterpret_cast<Header*>(machine::dynamicShared() + worker * stride);
  }

  template <typename Header>
  __device__ static uint8_t* requestIn(Header& shared) {
    return reinterpret_cast<uint8_t*>(&shared + 1);
  }

  template <typename Header>
  __device__ uint8_t* responseIn(Header& shared) const {
    return requestIn(shared) + responseSharedOffset_;
  }

  __device__ uint8_t* staging(const Launch&, uint32_t) const { return staging_; }

  __device__ void settle(const Launch& launch, uint32_t worker) {
    staging_ = machine::kept(reinterpret_cast<uint8_t*>(launch.staging) +
                             static_cast<uint64_t>(worker) * shape_.stagingBytes);
  }

  __device__ uint32_t responseStagingOffset() const { return shape_.responseStagingOffset; }

 private:
  const MessageShape& shape_;
  uint32_t flags_;
  uint32_t responseSharedOffset_;
  uint8_t* staging_ = nullptr;
};

/**
 * The same, of messages that each travel in one row of their slot. What that rules out is left out
 * of the worker.
 */
class LaunchedSmallShape : public LaunchedShape {
 public:
  using LaunchedShape::LaunchedShape;

  __device__ static constexpr bool isCooperative() { return false; }

  __device__ static constexpr uint32_t requestRows() { return 1; }
  __device__ static constexpr uint32_t responseRows() { return 1; }

  __device__ static constexpr bool isLargeRequest(uint32_t) { return false; }
  __device__ static constexpr bool hasPayload(uint32_t) { return false; }
  __device__ static constexpr bool isLargeResponse(uint32_t) { return false; }
  __device__ static constexpr bool isResponseNearby() { return true; }
  __device__ static constexpr uint32_t nearbyBytes() { return UINT32_MAX; }
};

}  // namespace ringkernel
