// Handlers of the compiler's corpus as one writes them in CUDA C++: with the semantics of Java as
// far as they meet them, which is without fused multiplication and addition, and without checks of
// bounds.
#include "handler_bench.cuh"

namespace {

struct Array {
  uint32_t offset;
  uint32_t length;

  template <typename T>
  __device__ const T* in(const void* message) const {
    return reinterpret_cast<const T*>(static_cast<const uint8_t*>(message) + offset);
  }
};

struct Pair {
  float factor;
  Array a;
  Array b;
};

struct Vectors {
  Array query;
  Array vectors;
};

struct Image {
  uint32_t width;
  Array pixels;
};

struct Samples {
  uint32_t key;
  Array keys;
  Array values;
};

constexpr uint32_t CAPACITY = 4096;
constexpr uint32_t NUMBERS = 1024;
constexpr uint32_t BINS = 16;

template <typename T>
__device__ T* resized(ringkernel::Call* call, void* out, uint32_t capacity, uint32_t size) {
  return static_cast<T*>(ringkernel_resize(call, out, sizeof(T), capacity, size));
}

__device__ void vectorAdd(ringkernel::Call* call, const Pair& in, void* out) {
  auto* a = in.a.in<float>(&in);
  auto* b = in.b.in<float>(&in);
  auto* sum = resized<float>(call, out, CAPACITY, in.a.length);
  for (uint32_t i = ringkernel_lane(call); i < in.a.length; i += ringkernel_lanes(call)) {
    sum[i] = __fadd_rn(a[i], b[i]);
  }
}

__device__ void saxpy(ringkernel::Call* call, const Pair& in, void* out) {
  auto* a = in.a.in<float>(&in);
  auto* b = in.b.in<float>(&in);
  float factor = in.factor;
  auto* result = resized<float>(call, out, CAPACITY, in.a.length);
  for (uint32_t i = ringkernel_lane(call); i < in.a.length; i += ringkernel_lanes(call)) {
    result[i] = __fadd_rn(__fmul_rn(factor, a[i]), b[i]);
  }
}

/** In the order that io.ringkernel.Parallel specifies. */
__device__ void dotProduct(ringkernel::Call* call, const Vectors& in, void* out) {
  auto* a = in.query.in<float>(&in);
  auto* b = in.vectors.in<float>(&in);
  auto* groups = static_cast<float*>(ringkernel_exchange(call));
  for (uint32_t partial = ringkernel_lane(call); partial < 256; partial += ringkernel_lanes(call)) {
    float sum = 0;
    for (uint32_t i = partial; i < in.query.length; i += 256) {
      sum = __fadd_rn(sum, __fmul_rn(a[i], b[i]));
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      sum = __fadd_rn(sum, __shfl_down_sync(UINT32_MAX, sum, distance));
    }
    if (partial % 32 == 0) {
      groups[partial / 32] = sum;
    }
  }
  ringkernel_sync(call);
  float sums[8];
  for (int i = 0; i < 8; i++) {
    sums[i] = groups[i];
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    for (int i = 0; i < distance; i++) {
      sums[i] = __fadd_rn(sums[i], sums[i + distance]);
    }
  }
  if (ringkernel_lane(call) == 0) {
    *static_cast<float*>(out) = sums[0];
  }
}

__device__ void distances(ringkernel::Call* call, const Vectors& in, void* out) {
  auto* query = in.query.in<float>(&in);
  auto* vectors = in.vectors.in<float>(&in);
  uint32_t dimensions = in.query.length;
  uint32_t count = in.vectors.length / dimensions;
  auto* result = resized<float>(call, out, CAPACITY, count);
  for (uint32_t i = ringkernel_lane(call); i < count; i += ringkernel_lanes(call)) {
    float distance = 0;
    for (uint32_t j = 0; j < dimensions; j++) {
      float difference = __fsub_rn(query[j], vectors[i * dimensions + j]);
      distance = __fadd_rn(distance, __fmul_rn(difference, difference));
    }
    result[i] = distance;
  }
}

__device__ void blur(ringkernel::Call* call, const Image& in, void* out) {
  auto* pixels = in.pixels.in<float>(&in);
  int width = in.width;
  int height = in.pixels.length / in.width;
  auto* result = resized<float>(call, out, CAPACITY, in.pixels.length);
  for (uint32_t i = ringkernel_lane(call); i < in.pixels.length; i += ringkernel_lanes(call)) {
    int x = static_cast<int>(i) % width;
    int y = static_cast<int>(i) / width;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++) {
      for (int dx = -1; dx <= 1; dx++) {
        int column = min(max(x + dx, 0), width - 1);
        int row = min(max(y + dy, 0), height - 1);
        sum = __fadd_rn(sum, pixels[row * width + column]);
      }
    }
    result[i] = __fdiv_rn(sum, 9);
  }
}

__device__ void collatz(ringkernel::Call* call, const Array& in, void* out) {
  auto* numbers = in.in<int32_t>(&in);
  auto* result = resized<int32_t>(call, out, NUMBERS, in.length);
  for (uint32_t i = ringkernel_lane(call); i < in.length; i += ringkernel_lanes(call)) {
    int64_t n = numbers[i];
    int32_t steps = 0;
    while (n != 1 && steps < 1000) {
      n = (n & 1) == 0 ? n >> 1 : static_cast<int64_t>(3 * static_cast<uint64_t>(n) + 1);
      steps++;
    }
    result[i] = steps;
  }
}

__device__ void histogram(ringkernel::Call* call, const Samples& in, void* out) {
  auto* counts = static_cast<unsigned long long*>(ringkernel_state(call));
  auto* keys = in.keys.in<int32_t>(&in);
  for (uint32_t i = ringkernel_lane(call); i < in.keys.length; i += ringkernel_lanes(call)) {
    atomicAdd(&counts[keys[i] & (BINS - 1)], 1);
  }
  auto* now = resized<unsigned long long>(call, out, 64, BINS);
  for (uint32_t i = ringkernel_lane(call); i < BINS; i += ringkernel_lanes(call)) {
    now[i] = counts[i];
  }
}

}  // namespace

#define BY_HAND(NAME, HANDLER, REQUEST)                                         \
  extern "C" __global__ void NAME(const bench::Run run) {                       \
    bench::measure(run, [](ringkernel::Call* call, const void* in, void* out) { \
      HANDLER(call, *static_cast<const REQUEST*>(in), out);                     \
    });                                                                         \
  }

BY_HAND(VectorAdd, vectorAdd, Pair)
BY_HAND(Saxpy, saxpy, Pair)
BY_HAND(DotProduct, dotProduct, Vectors)
BY_HAND(Distances, distances, Vectors)
BY_HAND(Blur, blur, Image)
BY_HAND(Collatz, collatz, Array)
BY_HAND(Histogram, histogram, Samples)
