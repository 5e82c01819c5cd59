// Latencies and rates of the ring, beside those of the bus and of what people write without one.
// Prints one JSON object a line.
//
//   baseline REPOSITORY BASELINE_PTX [what to measure: bus, ring, launches, vectors; default: all]
#include <atomic>
#include <cstring>
#include <thread>

#include "../include/ringkernel/abi.cuh"
#include "../test/cuda_device.hpp"
#include "../test/session.hpp"
#include "measure.hpp"
#include "two_thread_ring.hpp"

namespace {

using measure::latencies;
using measure::nanosSince;

struct Baseline {
  CudaDevice& device;
  CUmodule module;
  CUstream stream;
  CUfunction flagPingPong;
  CUfunction copyUnits;
  CUfunction bulkEcho;
  CUfunction stridedEcho;
  CUfunction fenceCycles;

  Baseline(CudaDevice& device, const std::string& image)
      : device(device), module(cuda::load(image)) {
    CUDA(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
    CUDA(cuModuleGetFunction, &flagPingPong, module, "flag_ping_pong");
    CUDA(cuModuleGetFunction, &copyUnits, module, "copy_units");
    CUDA(cuModuleGetFunction, &bulkEcho, module, "bulk_echo");
    CUDA(cuModuleGetFunction, &stridedEcho, module, "strided_echo");
    CUDA(cuModuleGetFunction, &fenceCycles, module, "fence_cycles");
  }

  void launch(CUfunction function, uint32_t blocks, uint32_t threads, void** parameters) {
    CUDA(cuLaunchKernel, function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr);
  }

  void synchronize() { CUDA(cuStreamSynchronize, stream); }

  void awaitByQueries() {
    auto query = cuda::function<decltype(&cuStreamQuery)>(CUDA_NAME(cuStreamQuery));
    CUresult result;
    do {
      result = query(stream);
    } while (result == CUDA_ERROR_NOT_READY);
    cuda::check(result, "cuStreamQuery");
  }
};

uint64_t load(const uint8_t* at) {
  return __atomic_load_n(reinterpret_cast<const uint64_t*>(at), __ATOMIC_ACQUIRE);
}

void store(uint8_t* at, uint64_t word) {
  __atomic_store_n(reinterpret_cast<uint64_t*>(at), word, __ATOMIC_RELEASE);
}

void flagPingPong(Baseline& baseline) {
  constexpr uint32_t ROUNDS = 100'000;
  auto lines = baseline.device.mapped(4096);
  uint64_t in = lines.device, out = lines.device + 128, rounds = ROUNDS + ROUNDS / 5;
  void* parameters[] = {&in, &out, &rounds};
  baseline.launch(baseline.flagPingPong, 1, 1, parameters);
  host::Deadline deadline(15);
  auto nanos = latencies(ROUNDS, [&](uint64_t round) {
    store(lines.host, round + 1);
    while (load(lines.host + 128) != round + 1) {
      deadline.check("a flag");
    }
  });
  baseline.synchronize();
  measure::printLatency("flag ping-pong (floor)", nanos);
}

/** How what was copied out is waited for. */
enum class End { SYNCHRONIZED, QUERIED, SEEN };

/**
 * Copy in, launch, copy out, and wait for the end; out to pinned memory, and in from there or, as
 * the driver takes small copies from elsewhere along with its commands, from the heap.
 */
void copyLaunchCopy(Baseline& baseline, uint32_t bytes, bool graph, bool pageable = false,
                    End end = End::SYNCHRONIZED) {
  auto in = baseline.device.mapped(bytes), out = baseline.device.mapped(bytes);
  std::vector<uint8_t> heap(bytes);
  uint8_t* source = pageable ? heap.data() : in.host;
  uint64_t from = baseline.device.memory(bytes), to = baseline.device.memory(bytes);
  uint32_t units = bytes / 16;
  void* parameters[] = {&from, &to, &units};
  auto enqueue = [&] {
    CUDA(cuMemcpyHtoDAsync, from, source, bytes, baseline.stream);
    baseline.launch(baseline.copyUnits, 1, 256, parameters);
    CUDA(cuMemcpyDtoHAsync, out.host, to, bytes, baseline.stream);
  };
  CUgraphExec executable = nullptr;
  if (graph) {
    CUgraph captured;
    CUDA(cuStreamBeginCapture, baseline.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    enqueue();
    CUDA(cuStreamEndCapture, baseline.stream, &captured);
    CUDA(cuGraphInstantiateWithFlags, &executable, captured, 0);
    CUDA(cuGraphUpload, executable, baseline.stream);
  }
  uint64_t wrong = 0;
  auto nanos = latencies(bytes > 4096 ? 5'000 : 20'000, [&](uint64_t round) {
    round++;
    memcpy(source, &round, sizeof(round));
    if (graph) {
      CUDA(cuGraphLaunch, executable, baseline.stream);
    } else {
      enqueue();
    }
    if (end == End::SYNCHRONIZED) {
      baseline.synchronize();
    } else if (end == End::QUERIED) {
      baseline.awaitByQueries();
    } else {
      host::Deadline deadline(15);
      while (load(out.host) != round) {
        deadline.check("a copy");
      }
    }
    wrong += load(out.host) != round;
  });
  baseline.synchronize();
  if (wrong != 0) {
    throw std::runtime_error("a copy came back wrong");
  }
  const char* ends[] = {"sync", "queries", "seen in memory"};
  measure::printLatency(std::string(graph ? "graph of " : "") + "copy + launch + copy + " +
                            ends[static_cast<int>(end)] + ", " + std::to_string(bytes) + " B" +
                            (pageable ? ", from the heap" : ""),
                        nanos);
}

void bulk(Baseline& baseline, uint32_t bytes, uint32_t slots, uint64_t messages) {
  auto lines = baseline.device.mapped(4096);
  auto in = baseline.device.mapped(static_cast<size_t>(slots) * bytes);
  auto out = baseline.device.mapped(static_cast<size_t>(slots) * bytes);
  uint64_t published = lines.device, echoed = lines.device + 128;
  void* parameters[] = {&published, &echoed, &in.device, &out.device, &slots, &bytes};
  baseline.launch(baseline.bulkEcho, 1, 1024, parameters);
  host::Deadline deadline(15);
  uint64_t tail = 0;
  auto nanos = latencies(bytes > 4096 ? 5'000 : 30'000, [&](uint64_t) {
    memset(in.host + tail % slots * bytes, static_cast<int>(tail), bytes);
    store(lines.host, ++tail);
    while (load(lines.host + 128) != tail) {
      deadline.check("a bulk message");
    }
  });
  measure::printLatency("bulk, " + std::to_string(bytes) + " B", nanos);
  auto start = host::Clock::now();
  uint64_t end = tail + messages;
  host::Deadline rateDeadline(15);
  while (tail < end) {
    while (tail - load(lines.host + 128) >= slots) {
      rateDeadline.check("room in the bulk ring");
    }
    memset(in.host + tail % slots * bytes, static_cast<int>(tail), bytes);
    store(lines.host, ++tail);
  }
  while (load(lines.host + 128) != tail) {
    rateDeadline.check("the last bulk message");
  }
  measure::printRate("bulk, " + std::to_string(bytes) + " B", messages, nanosSince(start), bytes);
  store(lines.host, UINT64_MAX);
  baseline.synchronize();
}

void fences(Baseline& baseline) {
  auto line = baseline.device.mapped(4096);
  uint64_t result = baseline.device.memory(64);
  uint32_t rounds = 1000;
  void* parameters[] = {&line.device, &result, &rounds};
  baseline.launch(baseline.fenceCycles, 1, 1, parameters);
  baseline.synchronize();
  uint64_t cycles[3];
  baseline.device.read(cycles, result, sizeof(cycles));
  double nanosPerCycle = 1e3 / cycles[2];
  printf("{\"name\":\"fence.sys, nothing to wait for\",\"p50_ns\":%.0f}\n",
         cycles[0] * nanosPerCycle);
  printf("{\"name\":\"fence.sys, behind a store to the host\",\"p50_ns\":%.0f}\n",
         cycles[1] * nanosPerCycle);
}

/** Round trips of one thread, then one that sends and one that receives. */
template <uint32_t WORDS>
void echoThrough(measure::TwoThreadRing<WORDS> ring, uint32_t slots, uint64_t messages,
                 const std::string& name) {
  uint64_t message[WORDS] = {}, back[WORDS], wrong = 0, position = 0;
  host::Deadline deadline(20);
  auto nanos = latencies(100'000, [&](uint64_t) {
    message[0] = position;
    message[WORDS - 1] = ~position;
    ring.send(position, message);
    while (!ring.receive(position, back)) {
      deadline.check("a response");
    }
    wrong += back[0] != position || back[WORDS - 1] != ~position;
    position++;
  });
  measure::printLatency(name, nanos);

  uint64_t end = position + messages;
  alignas(128) std::atomic<uint64_t> taken{position};
  alignas(128) std::atomic<bool> failed{false};
  auto start = host::Clock::now();
  std::thread receiver([&, next = position]() mutable {
    host::Deadline patience(20);
    uint64_t received[WORDS];
    try {
      for (; next < end; next++) {
        while (!ring.receive(next, received)) {
          patience.check("a response of a stream");
        }
        wrong += received[0] != next || received[WORDS - 1] != ~next;
        if (next % 16 == 15) {
          taken.store(next + 1, std::memory_order_release);
        }
      }
    } catch (const std::exception& failure) {
      fprintf(stderr, "%s\n", failure.what());
      failed = true;
    }
  });
  uint64_t seen = position;
  for (; position < end && !failed; position++) {
    while (position - seen >= slots && !failed) {
      seen = taken.load(std::memory_order_acquire);
    }
    message[0] = position;
    message[WORDS - 1] = ~position;
    ring.send(position, message);
  }
  receiver.join();
  measure::printRate(name, messages, nanosSince(start), WORDS * 8);
  if (wrong != 0 || failed) {
    throw std::runtime_error(name + ": " + std::to_string(wrong) + " wrong messages");
  }
}

/** The same ring in C++. */
template <uint32_t WORDS>
void ringEcho(CudaDevice& device, const char* kernel, Shape shape, const std::string& name) {
  Session session(device, kernel, shape);
  session.start();
  echoThrough<WORDS>({session.memory(), session.layout()}, shape.slots,
                     std::min(10'000'000u, shape.workers * 400'000u), "ring " + name);
  session.stop();
}

/** A ring that does no more than it must, with so many warps in each block. */
void stridedEcho(Baseline& baseline, uint32_t blocks, uint32_t warps) {
  constexpr uint32_t WORDS = 8, SLOTS = 1024;
  using Ring = measure::TwoThreadRing<WORDS>;
  host::Layout layout(4096, SLOTS, Ring::BYTES, Ring::BYTES);
  auto memory = baseline.device.mapped(layout.end);
  uint64_t stop = memory.device, in = memory.device + layout.requests.slotsOffset,
           out = memory.device + layout.responses.slotsOffset;
  uint32_t slots = SLOTS, slotBytes = layout.requests.slotStride, chunks = Ring::CHUNKS + 1;
  void* parameters[] = {&stop, &in, &out, &slots, &slotBytes, &chunks};
  baseline.launch(baseline.stridedEcho, blocks, warps * 32, parameters);
  echoThrough<WORDS>(
      {memory.host, layout}, SLOTS, 10'000'000,
      "least ring 64 B, " + std::to_string(blocks) + " x " + std::to_string(warps) + " warps");
  store(memory.host, 1);
  baseline.synchronize();
}

/** Vectors of so many elements to add: latency, and rate with as many in flight as fit. */
void ringVectorAdd(CudaDevice& device, const char* kernel, uint32_t elements, Shape shape,
                   const std::string& name) {
  Session session(device, kernel, shape);
  session.start();
  uint32_t second = ringkernel::aligned(16 + 4 * elements, 16);
  std::vector<uint8_t> request(second + 4 * elements), response(16 + 4 * elements);
  uint32_t fixed[] = {16, elements, second, elements};
  memcpy(request.data(), fixed, sizeof(fixed));
  auto nanos = latencies(elements > 100'000 ? 300 : 5'000, [&](uint64_t) {
    session.receive(session.send(request.data(), request.size()), response.data(), response.size());
  });
  measure::printLatency("ring " + name, nanos);
  uint64_t messages = elements > 100'000 ? 500 : 20'000;
  uint64_t next = session.ring().head();
  uint64_t end = next + messages;
  auto start = host::Clock::now();
  while (next < end) {
    if (session.ring().head() < end && session.ring().canClaim()) {
      session.send(request.data(), request.size());
    } else {
      session.receive(next++, response.data(), response.size());
    }
  }
  measure::printRate("ring " + name, messages, nanosSince(start), request.size());
}

/** What a request takes on the device, as the timed kernel measured it. */
void deviceTime(CudaDevice& device) {
  struct Head {
    uint64_t count, firstCycles, firstNanos, lastCycles, lastNanos, reserved[3];
  };
  Shape shape = {32, 4, 32, 256};
  Session session(device, "echo_timed", shape);
  session.start();
  uint64_t message[8] = {}, back[8];
  for (uint32_t i = 0; i < 50'000; i++) {
    session.receive(session.send(message, sizeof(message)), back, sizeof(back));
  }
  session.stop();
  Head head;
  device.read(&head, session.userState(), sizeof(head));
  std::vector<uint32_t> cycles(std::min<uint64_t>(head.count, 1 << 16));
  device.read(cycles.data(), session.userState() + sizeof(head), cycles.size() * 4);
  double nanosPerCycle = static_cast<double>(head.lastNanos - head.firstNanos) /
                         static_cast<double>(head.lastCycles - head.firstCycles);
  std::vector<double> nanos;
  for (uint32_t count : cycles) {
    nanos.push_back(count * nanosPerCycle);
  }
  std::sort(nanos.begin(), nanos.end());
  measure::printLatency("on the device: seen to answered, 64 B", nanos);
}

/**
 * A launch per message, by kernel or by graph: the event-driven mode at its least favourable.
 * Messages follow each other at once, or at a pace at which a device has gone idle between them.
 */
void launchPerMessage(CudaDevice& device, bool graph, uint32_t pauseMicros = 0) {
  Shape shape = {1, 1, 32, 16};
  shape.iterationLimit = 1;
  Session session(device, "echo", shape);
  uint64_t message[8] = {}, back[8];
  session.start();
  session.receive(session.send(message, sizeof(message)), back, sizeof(back));
  session.awaitEnd();
  CUgraphExec prepared = graph ? device.prepare([&] { session.start(); }) : nullptr;
  auto nanos = latencies(
      10'000,
      [&](uint64_t) {
        uint64_t position = session.send(message, sizeof(message));
        if (graph) {
          device.launch(prepared);
        } else {
          session.start();
        }
        session.receive(position, back, sizeof(back));
      },
      [&] {
        session.awaitEnd();
        auto start = host::Clock::now();
        while (nanosSince(start) < pauseMicros * 1e3) {
        }
      });
  measure::printLatency(
      std::string("ring, a ") + (graph ? "graph " : "") + "launch per message, 64 B" +
          (pauseMicros != 0 ? ", " + std::to_string(pauseMicros) + " us apart" : ""),
      nanos);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: baseline REPOSITORY BASELINE_PTX [bus | ring | launches | vectors]\n");
    return 2;
  }
  std::string images = std::string(argv[1]) + "/native/target/benchmark/kernels/";
  try {
    CudaDevice device({{images + "echo.ptx", {"echo"}},
                       {images + "echo256.ptx", {"echo256"}},
                       {images + "echo_timed.ptx", {"echo_timed"}},
                       {images + "vector_add_large.ptx", {"vector_add_large"}},
                       {images + "vector_add.ptx", {"vector_add"}}},
                      1);
    Baseline baseline(device, argv[2]);
    std::string chosen = argc == 4 ? argv[3] : "";
    flagPingPong(baseline);
    if (chosen.empty() || chosen == "bus") {
      for (uint32_t bytes : {64u, 256u, 65536u}) {
        copyLaunchCopy(baseline, bytes, false);
        copyLaunchCopy(baseline, bytes, true);
      }
      bulk(baseline, 64, 4096, 4'000'000);
      bulk(baseline, 65536, 256, 20'000);
      fences(baseline);
    }
    if (chosen.empty() || chosen == "ring") {
      stridedEcho(baseline, 1, 32);
      stridedEcho(baseline, 8, 4);
      for (uint32_t workers : {1, 4, 32, 64, 128}) {
        for (uint32_t workersPerBlock : {4, 32}) {
          Shape shape = {workers, std::min(workers, workersPerBlock), 32, 1024};
          std::string grid = std::to_string(workers) + " workers, " +
                             std::to_string(shape.workersPerBlock) + " a block";
          if (workers > 4 || workersPerBlock == 4) {
            ringEcho<8>(device, "echo", shape, "64 B, " + grid);
          }
        }
      }
      ringEcho<32>(device, "echo256", {32, 4, 32, 1024}, "256 B, 32 workers, 4 a block");
      deviceTime(device);
    }
    if (chosen.empty() || chosen == "launches") {
      copyLaunchCopy(baseline, 64, false);
      copyLaunchCopy(baseline, 64, true);
      for (bool pageable : {false, true}) {
        copyLaunchCopy(baseline, 64, false, pageable, End::QUERIED);
        copyLaunchCopy(baseline, 64, false, pageable, End::SEEN);
      }
      launchPerMessage(device, false);
      launchPerMessage(device, true);
      launchPerMessage(device, true, 20);
    }
    if (chosen.empty() || chosen == "vectors") {
      ringVectorAdd(device, "vector_add", 4096, {4, 4, 32, 16}, "vectors of 4096, 4 x 32 threads");
      ringVectorAdd(device, "vector_add", 4096, {4, 4, 256, 16},
                    "vectors of 4096, 4 x 256 threads");
      ringVectorAdd(device, "vector_add", 4096, {8, 1, 1024, 32},
                    "vectors of 4096, 8 x 1024 threads");
      ringVectorAdd(device, "vector_add_large", 8192, {8, 1, 1024, 8},
                    "64 KiB of vectors, 8 x 1024 threads");
      ringVectorAdd(device, "vector_add_large", 1 << 20, {4, 1, 1024, 8},
                    "vectors of 1048576, 4 x 1024 threads");
    }
  } catch (const std::exception& failure) {
    fprintf(stderr, "FAILED: %s\n", failure.what());
    return 1;
  }
  return 0;
}
