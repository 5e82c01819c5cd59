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

constexpr uint32_t BINS = 16;

/** The only array of a response, behind its fixed block of one member. All of it is zero. */
template <typename T>
__device__ T* resized(const bench::Request& request, uint32_t size) {
  constexpr uint32_t AT = ringkernel::PART_ALIGNMENT;
  auto* elements = request.out + AT;
  ringkernel::clear(elements, size * sizeof(T), request.crew);
  request.crew.sync();
  if (request.crew.thread() == 0) {
    *reinterpret_cast<Array*>(request.out) = {AT, size};
  }
  return reinterpret_cast<T*>(elements);
}

__device__ void vectorAdd(const bench::Request& request, const Pair& in) {
  auto* a = in.a.in<float>(&in);
  auto* b = in.b.in<float>(&in);
  auto* sum = resized<float>(request, in.a.length);
  for (uint32_t i = request.crew.thread(); i < in.a.length; i += request.crew.threads()) {
    sum[i] = __fadd_rn(a[i], b[i]);
  }
}

__device__ void saxpy(const bench::Request& request, const Pair& in) {
  auto* a = in.a.in<float>(&in);
  auto* b = in.b.in<float>(&in);
  float factor = in.factor;
  auto* result = resized<float>(request, in.a.length);
  for (uint32_t i = request.crew.thread(); i < in.a.length; i += request.crew.threads()) {
    result[i] = __fadd_rn(__fmul_rn(factor, a[i]), b[i]);
  }
}

/** In the order that io.ringkernel.Parallel specifies. */
__device__ void dotProduct(const bench::Request& request, const Vectors& in) {
  auto* a = in.query.in<float>(&in);
  auto* b = in.vectors.in<float>(&in);
  auto* groups = reinterpret_cast<float*>(request.call->exchange);
  for (uint32_t partial = request.crew.thread(); partial < 256; partial += request.crew.threads()) {
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
  request.crew.sync();
  float sums[8];
  for (int i = 0; i < 8; i++) {
    sums[i] = groups[i];
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    for (int i = 0; i < distance; i++) {
      sums[i] = __fadd_rn(sums[i], sums[i + distance]);
    }
  }
  if (request.crew.thread() == 0) {
    *reinterpret_cast<float*>(request.out) = sums[0];
  }
}

__device__ void distances(const bench::Request& request, const Vectors& in) {
  auto* query = in.query.in<float>(&in);
  auto* vectors = in.vectors.in<float>(&in);
  uint32_t dimensions = in.query.length;
  uint32_t count = in.vectors.length / dimensions;
  auto* result = resized<float>(request, count);
  for (uint32_t i = request.crew.thread(); i < count; i += request.crew.threads()) {
    float distance = 0;
    for (uint32_t j = 0; j < dimensions; j++) {
      float difference = __fsub_rn(query[j], vectors[i * dimensions + j]);
      distance = __fadd_rn(distance, __fmul_rn(difference, difference));
    }
    result[i] = distance;
  }
}

__device__ void blur(const bench::Request& request, const Image& in) {
  auto* pixels = in.pixels.in<float>(&in);
  int width = in.width;
  int height = in.pixels.length / in.width;
  auto* result = resized<float>(request, in.pixels.length);
  for (uint32_t i = request.crew.thread(); i < in.pixels.length; i += request.crew.threads()) {
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

__device__ void collatz(const bench::Request& request, const Array& in) {
  auto* numbers = in.in<int32_t>(&in);
  auto* result = resized<int32_t>(request, in.length);
  for (uint32_t i = request.crew.thread(); i < in.length; i += request.crew.threads()) {
    int64_t n = numbers[i];
    int32_t steps = 0;
    while (n != 1 && steps < 1000) {
      n = (n & 1) == 0 ? n >> 1 : static_cast<int64_t>(3 * static_cast<uint64_t>(n) + 1);
      steps++;
    }
    result[i] = steps;
  }
}

__device__ void histogram(const bench::Request& request, const Samples& in) {
  auto* counts = reinterpret_cast<unsigned long long*>(request.call->launch->user);
  auto* keys = in.keys.in<int32_t>(&in);
  for (uint32_t i = request.crew.thread(); i < in.keys.length; i += request.crew.threads()) {
    atomicAdd(&counts[keys[i] & (BINS - 1)], 1);
  }
  auto* now = resized<unsigned long long>(request, BINS);
  for (uint32_t i = request.crew.thread(); i < BINS; i += request.crew.threads()) {
    now[i] = counts[i];
  }
}

}  // namespace

#define BY_HAND(NAME, HANDLER, REQUEST)                           \
  extern "C" __global__ void NAME(const bench::Run run) {         \
    bench::measure(run, [](const bench::Request& request) {       \
      HANDLER(request, *static_cast<const REQUEST*>(request.in)); \
    });                                                           \
  }

BY_HAND(VectorAdd, vectorAdd, Pair)
BY_HAND(Saxpy, saxpy, Pair)
BY_HAND(DotProduct, dotProduct, Vectors)
BY_HAND(Distances, distances, Vectors)
BY_HAND(Blur, blur, Image)
BY_HAND(Collatz, collatz, Array)
BY_HAND(Histogram, histogram, Samples)
