// The memory that host and device share, and what they hand each other at launch. The Java side is
// the specification: io.ringkernel.control.ControlLayout and io.ringkernel.ring.RingLayout.
// Whatever changes here raises ABI_VERSION there.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define RINGKERNEL_SHARED_CODE __host__ __device__
#else
#define RINGKERNEL_SHARED_CODE
#endif

namespace ringkernel {

constexpr uint32_t ABI_VERSION = 8;

/** "RINGKRNL": begins the memory of a kernel. */
constexpr uint64_t REGION_MAGIC = 0x4c4e524b474e4952;

/** "RKKERNEL": begins the description that an image exports per kernel. */
constexpr uint64_t KERNEL_MAGIC = 0x4c454e52454b4b52;

/** The unit of write ownership: two cache lines of a CPU, one line of a GPU's L2. */
constexpr uint32_t LINE_BYTES = 128;
constexpr uint32_t CHUNK_BYTES = 16;
constexpr uint32_t CHUNK_DATA_BYTES = 12;

/** Words of data in a chunk. */
constexpr uint32_t CHUNK_WORDS = CHUNK_DATA_BYTES / sizeof(uint32_t);

/** The chunks of a slot that a warp moves at once, one for each lane. */
constexpr uint32_t ROW_CHUNKS = 32;

/** The most rows of a slot: what a lane has in flight when it looks for a request. */
constexpr uint32_t MAX_ROWS = 3;

/** The largest message that travels inside a slot, behind its header. */
constexpr uint32_t MAX_INLINE_BYTES = (MAX_ROWS * ROW_CHUNKS - 1) * CHUNK_DATA_BYTES;

/** How much of a message is in the first row. */
constexpr uint32_t ROW_DATA_BYTES = (ROW_CHUNKS - 1) * CHUNK_DATA_BYTES;

/**
 * The chunk of a slot that states how many bytes of a large message are there. It is in the row of
 * the header, so one look finds both.
 */
constexpr uint32_t PROGRESS_CHUNK = 1;

/** Variable parts of a message, and messages themselves, begin at multiples of it. */
constexpr uint32_t PART_ALIGNMENT = 16;

/** The unit in which a launch states the size of a handler's state. */
constexpr uint64_t STATE_PAGE_BYTES = 4096;

/** The shortest idle budget: a launch ends once all its workers have looked for more in vain. */
constexpr uint64_t ENDS_WHEN_IT_FINDS_NOTHING = 1;

RINGKERNEL_SHARED_CODE constexpr uint32_t aligned(uint32_t bytes, uint32_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

RINGKERNEL_SHARED_CODE constexpr uint32_t dataChunks(uint32_t bytes) {
  return (bytes + CHUNK_DATA_BYTES - 1) / CHUNK_DATA_BYTES;
}

/** The rows of a slot that hold so many chunks of data and the header before them. */
RINGKERNEL_SHARED_CODE constexpr uint32_t rows(uint32_t dataChunks) {
  return dataChunks / ROW_CHUNKS + 1;
}

RINGKERNEL_SHARED_CODE constexpr uint32_t inlineBytes(uint32_t maxBytes) {
  return maxBytes < MAX_INLINE_BYTES ? maxBytes : MAX_INLINE_BYTES;
}

/** What a message is, as its header states it. */
enum class MessageKind : uint32_t {
  DATA = 0,
  HANDLER_FAILED = 1,
  WITHDRAWN = 2,
  INVALID_REQUEST = 3,
  INVALID_RESPONSE = 4
};

enum class Command : uint32_t { STOP = 0, RUN = 1 };

enum class WorkerStatus : uint32_t { OUT = 0, POLLING = 1, HANDLING = 2 };

/** Where the slots and payloads of one direction lie, from the start of the memory. */
struct LaneLayout {
  uint32_t slotsOffset;
  uint32_t slotStride;
  uint32_t inlineBytes;
  uint32_t payloadsOffset;
  uint32_t payloadStride;
  uint32_t maxBytes;
};

/** Written by the host once, before the first launch. */
struct alignas(LINE_BYTES) Identity {
  uint64_t magic;
  uint32_t abiVersion;
  uint32_t slots;
  uint32_t workers;
  uint32_t skippedLapsOffset;
  LaneLayout requests;
  LaneLayout responses;
  uint64_t requestFingerprint;
  uint64_t responseFingerprint;
  uint64_t startPosition;
};

/** Written by the host at any time. */
struct alignas(LINE_BYTES) HostLine {
  Command command;
};

/** Written by what launches the kernel. */
struct alignas(LINE_BYTES) DeviceLine {
  uint64_t launches;
};

/**
 * The times that requests took on the device, counted by powers of two. A worker measures them in
 * ticks, some cycles each, so that 32 bits are half a minute.
 */
struct alignas(PART_ALIGNMENT) DeviceTimes {
  static constexpr uint32_t CYCLES_PER_TICK = 16;

  /** The last counts what took longer than all before: 70 ms and more, at 2 GHz. */
  static constexpr uint32_t BUCKETS = 22;

  /** What takes less than so many powers of two ticks, 64 ns, is counted by the first. */
  static constexpr uint32_t FIRST_BITS = 3;

  /** All of them together. */
  uint64_t ticks;
  /** Bucket i counts less than 2^(FIRST_BITS + i) ticks. A count stays at its maximum. */
  uint32_t counts[BUCKETS];
};

/** Written by one worker. */
struct alignas(LINE_BYTES) WorkerLine {
  WorkerStatus status;
  /**
   * The launch that the worker came up in: the low bits of DeviceLine::launches as it found it. 0
   * as long as a launch that ends when it finds nothing has told no more than that it lives.
   */
  uint32_t launch;
  uint64_t heartbeat;
  uint64_t processed;
  uint64_t failed;
  /** All zero where the image was built before there were such times. */
  DeviceTimes times;
};

/** Begins the memory of a kernel; the lines of the workers follow it. */
struct ControlBlock {
  Identity identity;
  HostLine host;
  DeviceLine device;
};

/** The one parameter of a kernel. Addresses are the device's. */
struct Launch {
  /** The memory shared with the host; a ControlBlock begins it. */
  uint64_t memory;
  /** Zeroed before the first launch of a session and kept between launches. */
  uint64_t state;
  /** Device memory in which large messages are contiguous. */
  uint64_t staging;
  /** The state of the handler; zeroed once per session, 0 if it has none. */
  uint64_t user;
  /** How many requests a launch handles before it ends; 0 for any number. */
  uint64_t iterationLimit;
  /** How long a launch finds nothing before it ends; 0 for forever, 1 for no time at all. */
  uint64_t idleBudgetNanos;
  uint32_t workers;
  uint32_t workersPerBlock;
  uint32_t threadsPerWorker;
  /** The size of the handler's state, in units of STATE_PAGE_BYTES. */
  uint32_t statePages;
  /** How long a launch takes requests before it ends; 0 for forever. */
  uint64_t timeLimitNanos;
  /**
   * The shortest request that all threads of a worker handle. Of a shorter one its first warp does
   * the work alone, as gathering the others takes longer than what they would save. 0 for none.
   */
  uint32_t allThreadsFrom;
  /** How many positions of a ring that another loop has served are to be served first. */
  uint32_t takenOver;
  /**
   * Where these positions lie in device memory, the oldest first, and behind them the one from
   * which on every position is served; 0 for a fresh ring.
   * io.ringkernel.ring.order.ServingOrder says which they are.
   */
  uint64_t servingOrder;
};

/** What an image tells of a kernel; read by the host before the first launch. */
struct KernelInfo {
  uint64_t magic;
  uint32_t abiVersion;
  uint32_t infoBytes;
  uint64_t requestFingerprint;
  uint64_t responseFingerprint;
  uint32_t requestFixedBytes;
  uint32_t requestMaxBytes;
  uint32_t responseFixedBytes;
  uint32_t responseMaxBytes;
  uint32_t stateBytesPerWorker;
  uint32_t stateBytesPerBlock;
  uint32_t stagingBytesPerWorker;
  uint32_t sharedBytesPerWorker;
  uint64_t userStateBytes;
  uint32_t maxThreadsPerWorker;
  uint32_t flags;
};

/**
 * What a worker knows of messages if it was compiled without them. The Java side writes it:
 * io.ringkernel.cuda.image.MessageShape.
 */
struct MessageShape {
  static constexpr uint32_t STATEFUL = 1;
  static constexpr uint32_t COOPERATIVE = 2;

  uint32_t requestFixedBytes;
  uint32_t requestMaxBytes;
  uint32_t requestInlineBytes;
  uint32_t requestInlineChunks;
  uint32_t responseFixedBytes;
  uint32_t responseMaxBytes;
  uint32_t responseInlineBytes;
  uint32_t responseInlineChunks;
  /** Where the response lies in shared memory, from the request. */
  uint32_t responseSharedOffset;
  /** What is set to zero there for each request; 0 if the fixed block has no room there. */
  uint32_t responseSharedUnits;
  /** Of request and response together, for each worker. */
  uint32_t sharedBytes;
  /** Where the response lies in device memory, from the request. */
  uint32_t responseStagingOffset;
  /** Of request and response together, for each worker. */
  uint32_t stagingBytes;
  uint32_t flags;
};

/** The parameter of a kernel whose worker was compiled without its messages. */
struct ErasedLaunch {
  Launch launch;
  MessageShape shape;
};

/** In KernelInfo::flags: the kernel keeps a Timing at the start of its user state. */
constexpr uint32_t FLAG_TIMED = 1;

/** In KernelInfo::flags: the workers meet, so all have to be on the device at once. */
constexpr uint32_t FLAG_COOPERATIVE = 2;

/**
 * In KernelInfo::flags: the worker was compiled without its messages, so a launch tells it their
 * shape. The shared memory of a worker is that besides messages.
 */
constexpr uint32_t FLAG_ERASED = 4;

/** In KernelInfo::flags: the handler calls workers that wait, in the first word of its state. */
constexpr uint32_t FLAG_ASSISTED = 8;

static_assert(sizeof(LaneLayout) == 24);
static_assert(offsetof(Identity, magic) == 0);
static_assert(offsetof(Identity, abiVersion) == 8);
static_assert(offsetof(Identity, slots) == 12);
static_assert(offsetof(Identity, workers) == 16);
static_assert(offsetof(Identity, skippedLapsOffset) == 20);
static_assert(offsetof(Identity, requests) == 24);
static_assert(offsetof(Identity, responses) == 48);
static_assert(offsetof(Identity, requestFingerprint) == 72);
static_assert(offsetof(Identity, responseFingerprint) == 80);
static_assert(offsetof(Identity, startPosition) == 88);
static_assert(offsetof(HostLine, command) == 0);
static_assert(offsetof(WorkerLine, status) == 0);
static_assert(offsetof(WorkerLine, launch) == 4);
static_assert(offsetof(WorkerLine, heartbeat) == 8);
static_assert(offsetof(WorkerLine, processed) == 16);
static_assert(offsetof(WorkerLine, failed) == 24);
static_assert(offsetof(WorkerLine, times) == 32);
static_assert(offsetof(DeviceTimes, counts) == 8);
static_assert(sizeof(DeviceTimes) == 96);
static_assert(sizeof(WorkerLine) == LINE_BYTES);
static_assert(offsetof(ControlBlock, host) == 128);
static_assert(offsetof(ControlBlock, device) == 256);
static_assert(sizeof(ControlBlock) == 384);
static_assert(offsetof(Launch, iterationLimit) == 32);
static_assert(offsetof(Launch, workers) == 48);
static_assert(offsetof(Launch, statePages) == 60);
static_assert(offsetof(Launch, timeLimitNanos) == 64);
static_assert(offsetof(Launch, allThreadsFrom) == 72);
static_assert(offsetof(Launch, takenOver) == 76);
static_assert(offsetof(Launch, servingOrder) == 80);
static_assert(sizeof(Launch) == 88);
static_assert(offsetof(KernelInfo, requestFingerprint) == 16);
static_assert(offsetof(KernelInfo, requestFixedBytes) == 32);
static_assert(offsetof(KernelInfo, stateBytesPerWorker) == 48);
static_assert(offsetof(KernelInfo, userStateBytes) == 64);
static_assert(offsetof(KernelInfo, maxThreadsPerWorker) == 72);
static_assert(sizeof(KernelInfo) == 80);
static_assert(offsetof(MessageShape, requestFixedBytes) == 0);
static_assert(offsetof(MessageShape, requestMaxBytes) == 4);
static_assert(offsetof(MessageShape, requestInlineBytes) == 8);
static_assert(offsetof(MessageShape, requestInlineChunks) == 12);
static_assert(offsetof(MessageShape, responseFixedBytes) == 16);
static_assert(offsetof(MessageShape, responseMaxBytes) == 20);
static_assert(offsetof(MessageShape, responseInlineBytes) == 24);
static_assert(offsetof(MessageShape, responseInlineChunks) == 28);
static_assert(offsetof(MessageShape, responseSharedOffset) == 32);
static_assert(offsetof(MessageShape, responseSharedUnits) == 36);
static_assert(offsetof(MessageShape, sharedBytes) == 40);
static_assert(offsetof(MessageShape, responseStagingOffset) == 44);
static_assert(offsetof(MessageShape, stagingBytes) == 48);
static_assert(offsetof(MessageShape, flags) == 52);
static_assert(sizeof(MessageShape) == 56);
static_assert(offsetof(ErasedLaunch, shape) == 88);
static_assert(sizeof(ErasedLaunch) == 144);

/** What every description of a kernel or of a part of one begins with. */
constexpr KernelInfo identifiedInfo() {
  KernelInfo info = {};
  info.magic = KERNEL_MAGIC;
  info.abiVersion = ABI_VERSION;
  info.infoBytes = sizeof(KernelInfo);
  return info;
}

/** What a description says of the handler: its messages and its state. */
template <typename Kernel>
constexpr KernelInfo handlerInfo() {
  using Request = typename Kernel::Request;
  using Response = typename Kernel::Response;
  KernelInfo info = identifiedInfo();
  info.requestFingerprint = Request::FINGERPRINT;
  info.responseFingerprint = Response::FINGERPRINT;
  info.requestFixedBytes = sizeof(Request);
  info.requestMaxBytes = Request::MAX_BYTES;
  info.responseFixedBytes = sizeof(Response);
  info.responseMaxBytes = Response::MAX_BYTES;
  info.userStateBytes = Kernel::STATE_BYTES;
  info.flags = Kernel::COOPERATIVE ? FLAG_COOPERATIVE : 0;
  return info;
}

}  // namespace ringkernel
