// The messages of io.ringkernel.conformance.TestKernels.
#pragma once

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct Echo {
  static constexpr uint64_t FINGERPRINT = 0x88800a58e09d3d13;
  static constexpr uint32_t MAX_BYTES = 64;
  static constexpr char LAYOUT[] = R"(Echo: fixed block of 64 bytes, alignment 8, at most 64 bytes in all
  offset    size  align  component
       0       8      8  producer int64
       8       8      8  sequence int64
      16       8      8  a int64
      24       8      8  b int64
      32       8      8  c int64
      40       8      8  d int64
      48       8      8  e int64
      56       8      8  checksum int64
)";

  int64_t producer;
  int64_t sequence;
  int64_t a;
  int64_t b;
  int64_t c;
  int64_t d;
  int64_t e;
  int64_t checksum;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Echo) == 64);

struct Blob {
  static constexpr uint64_t FINGERPRINT = 0x6cffd3d862c5519f;
  static constexpr uint32_t MAX_BYTES = 70032;
  static constexpr char LAYOUT[] = R"(Blob: fixed block of 24 bytes, alignment 8, at most 70032 bytes in all
  offset    size  align  component
       0       8      8  producer int64
       8       8      8  sequence int64
      16       8      4  bytes int8[<=70000]
)";

  int64_t producer;
  int64_t sequence;
  ringkernel::Array<int8_t, 70000, 16> bytes;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(bytes); }
};

static_assert(sizeof(Blob) == 24);
static_assert(offsetof(Blob, bytes) == 16);

struct BlobReply {
  static constexpr uint64_t FINGERPRINT = 0xa5f77f4c4bee0c3b;
  static constexpr uint32_t MAX_BYTES = 70032;
  static constexpr char LAYOUT[] = R"(BlobReply: fixed block of 32 bytes, alignment 8, at most 70032 bytes in all
  offset    size  align  component
       0       8      8  producer int64
       8       8      8  sequence int64
      16       8      8  checksum int64
      24       8      4  bytes int8[<=70000]
)";

  int64_t producer;
  int64_t sequence;
  int64_t checksum;
  ringkernel::Array<int8_t, 70000, 24> bytes;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(bytes); }
};

static_assert(sizeof(BlobReply) == 32);
static_assert(offsetof(BlobReply, bytes) == 24);

struct Slow {
  static constexpr uint64_t FINGERPRINT = 0x3c896940f867a407;
  static constexpr uint32_t MAX_BYTES = 24;
  static constexpr char LAYOUT[] = R"(Slow: fixed block of 24 bytes, alignment 8, at most 24 bytes in all
  offset    size  align  component
       0       8      8  producer int64
       8       8      8  sequence int64
      16       8      8  micros int64
)";

  int64_t producer;
  int64_t sequence;
  int64_t micros;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Slow) == 24);

struct Failing {
  static constexpr uint64_t FINGERPRINT = 0xa92fff0392d58360;
  static constexpr uint32_t MAX_BYTES = 16;
  static constexpr char LAYOUT[] = R"(Failing: fixed block of 16 bytes, alignment 8, at most 16 bytes in all
  offset    size  align  component
       0       8      8  sequence int64
       8       4      4  code int32
)";

  int64_t sequence;
  int32_t code;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Failing) == 16);
static_assert(offsetof(Failing, code) == 8);

struct Counter {
  static constexpr uint64_t FINGERPRINT = 0xe63d69af889b6ac4;
  static constexpr uint32_t MAX_BYTES = 16;
  static constexpr char LAYOUT[] = R"(Counter: fixed block of 16 bytes, alignment 8, at most 16 bytes in all
  offset    size  align  component
       0       8      8  producer int64
       8       8      8  sequence int64
)";

  int64_t producer;
  int64_t sequence;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Counter) == 16);

struct Counted {
  static constexpr uint64_t FINGERPRINT = 0x611b72f1fc5e38ce;
  static constexpr uint32_t MAX_BYTES = 24;
  static constexpr char LAYOUT[] = R"(Counted: fixed block of 24 bytes, alignment 8, at most 24 bytes in all
  offset    size  align  component
       0       8      8  producer int64
       8       8      8  sequence int64
      16       8      8  order int64
)";

  int64_t producer;
  int64_t sequence;
  int64_t order;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Counted) == 24);

struct VectorAddRequest {
  static constexpr uint64_t FINGERPRINT = 0x48097a53756ab79c;
  static constexpr uint32_t MAX_BYTES = 32784;
  static constexpr char LAYOUT[] = R"(VectorAddRequest: fixed block of 16 bytes, alignment 4, at most 32784 bytes in all
  offset    size  align  component
       0       8      4  a float[<=4096]
       8       8      4  b float[<=4096]
)";

  ringkernel::Array<float, 4096, 0> a;
  ringkernel::Array<float, 4096, 8> b;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(a) & message.holds(b);
  }
};

static_assert(sizeof(VectorAddRequest) == 16);
static_assert(offsetof(VectorAddRequest, a) == 0);
static_assert(offsetof(VectorAddRequest, b) == 8);

struct VectorAddResponse {
  static constexpr uint64_t FINGERPRINT = 0xd3b543bb9e38cc16;
  static constexpr uint32_t MAX_BYTES = 16400;
  static constexpr char LAYOUT[] = R"(VectorAddResponse: fixed block of 8 bytes, alignment 4, at most 16400 bytes in all
  offset    size  align  component
       0       8      4  sum float[<=4096]
)";

  ringkernel::Array<float, 4096, 0> sum;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(sum); }
};

static_assert(sizeof(VectorAddResponse) == 8);
static_assert(offsetof(VectorAddResponse, sum) == 0);

struct Tick {
  int64_t producer;
  int64_t sequence;
  double price;
  int32_t code;
  int16_t size;
  int8_t flags;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Tick) == 32);
static_assert(offsetof(Tick, sequence) == 8);
static_assert(offsetof(Tick, price) == 16);
static_assert(offsetof(Tick, code) == 24);
static_assert(offsetof(Tick, size) == 28);
static_assert(offsetof(Tick, flags) == 30);

struct Ticks {
  static constexpr uint64_t FINGERPRINT = 0x3dcf5d7df85b8971;
  static constexpr uint32_t MAX_BYTES = 9616;
  static constexpr char LAYOUT[] = R"(Ticks: fixed block of 8 bytes, alignment 4, at most 9616 bytes in all
  offset    size  align  component
       0       8      4  ticks struct[<=300]
       0       8      8  ticks[].producer int64
       8       8      8  ticks[].sequence int64
      16       8      8  ticks[].price double
      24       4      4  ticks[].code int32
      28       2      2  ticks[].size int16
      30       1      1  ticks[].flags int8
)";

  ringkernel::Array<Tick, 300, 0> ticks;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(ticks); }
};

static_assert(sizeof(Ticks) == 8);

struct Quote {
  int64_t producer;
  int64_t sequence;
  float price;
  int64_t checksum;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Quote) == 32);
static_assert(offsetof(Quote, sequence) == 8);
static_assert(offsetof(Quote, price) == 16);
static_assert(offsetof(Quote, checksum) == 24);

struct Quotes {
  static constexpr uint64_t FINGERPRINT = 0x36302093592d6a4a;
  static constexpr uint32_t MAX_BYTES = 9616;
  static constexpr char LAYOUT[] = R"(Quotes: fixed block of 8 bytes, alignment 4, at most 9616 bytes in all
  offset    size  align  component
       0       8      4  quotes struct[<=300]
       0       8      8  quotes[].producer int64
       8       8      8  quotes[].sequence int64
      16       4      4  quotes[].price float
      24       8      8  quotes[].checksum int64
)";

  ringkernel::Array<Quote, 300, 0> quotes;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(quotes); }
};

static_assert(sizeof(Quotes) == 8);
