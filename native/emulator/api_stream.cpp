// Streams, events and launches.
#include "call.hpp"
#include "clock.hpp"
#include "event.hpp"
#include "graph.hpp"
#include "launching.hpp"
#include "stream.hpp"

using namespace emulator;

namespace {

/** A stream that is not being captured; what waits for work cannot be. */
std::shared_ptr<Stream> uncaptured(CUstream handle) {
  auto stream = Stream::of(handle);
  require(!stream->isCapturing(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return stream;
}

std::shared_ptr<Event> event(CUevent handle) {
  return Device::get().events.get(handle);
}

}  // namespace

DRIVER_API cuStreamCreate(CUstream* stream, unsigned flags) {
  return contextCall([&](Lock&) {
    require(flags <= CU_STREAM_NON_BLOCKING, CUDA_ERROR_INVALID_VALUE);
    *stream = static_cast<CUstream>(Device::get().streams.add(Stream::create(flags)));
  });
}

DRIVER_API cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int) {
  return cuStreamCreate(stream, flags);
}

DRIVER_API cuStreamDestroy_v2(CUstream stream) {
  return contextCall([&](Lock&) { Device::get().streams.remove(stream)->destroy(); });
}

DRIVER_API cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return contextCall([&](Lock&) { *flags = Stream::of(stream)->flags(); });
}

DRIVER_API cuStreamQuery(CUstream stream) {
  return contextCall([&](Lock&) { require(uncaptured(stream)->isDone(), CUDA_ERROR_NOT_READY); });
}

DRIVER_API cuStreamSynchronize(CUstream stream) {
  return contextCall([&](Lock& lock) {
    Position end = uncaptured(stream)->end();
    await(lock, [&] { return end.isReached(); });
  });
}

DRIVER_API cuStreamWaitEvent(CUstream stream, CUevent handle, unsigned) {
  return contextCall([&](Lock&) {
    auto mark = event(handle)->mark;
    if (mark == nullptr) {
      return;
    }
    uncaptured(stream)->submit({[mark] {
                                  Lock lock(Device::get().mutex);
                                  Device::get().await(lock, [&] { return mark->reached; });
                                },
                                {}});
  });
}

DRIVER_API cuStreamBeginCapture_v2(CUstream stream, int) {
  return contextCall([&](Lock&) {
    auto found = Stream::of(stream);
    require(found != Device::get().legacy, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    found->beginCapture();
  });
}

DRIVER_API cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return contextCall([&](Lock&) {
    *graph = static_cast<CUgraph>(Device::get().graphs.add(Stream::of(stream)->endCapture()));
  });
}

DRIVER_API cuStreamIsCapturing(CUstream stream, int* status) {
  return contextCall([&](Lock&) { *status = Stream::of(stream)->isCapturing(); });
}

DRIVER_API cuThreadExchangeStreamCaptureMode(int*) {
  return contextCall([](Lock&) {});
}

DRIVER_API cuEventCreate(CUevent* handle, unsigned flags) {
  return contextCall([&](Lock&) {
    auto event = std::make_shared<Event>(Event{flags, nullptr});
    *handle = static_cast<CUevent>(Device::get().events.add(std::move(event)));
  });
}

DRIVER_API cuEventDestroy_v2(CUevent handle) {
  return contextCall([&](Lock&) { Device::get().events.remove(handle); });
}

DRIVER_API cuEventRecord(CUevent handle, CUstream stream) {
  return contextCall([&](Lock&) {
    auto mark = std::make_shared<Mark>();
    auto found = uncaptured(stream);
    event(handle)->mark = mark;
    found->submit({[mark] {
                     Lock lock(Device::get().mutex);
                     mark->reached = true;
                     mark->nanos = simt::nanoTime();
                     Device::get().changed.notify_all();
                   },
                   {}});
  });
}

DRIVER_API cuEventRecordWithFlags(CUevent handle, CUstream stream, unsigned) {
  return cuEventRecord(handle, stream);
}

DRIVER_API cuEventQuery(CUevent handle) {
  return contextCall([&](Lock&) { require(event(handle)->isReached(), CUDA_ERROR_NOT_READY); });
}

DRIVER_API cuEventSynchronize(CUevent handle) {
  return contextCall([&](Lock& lock) {
    auto found = event(handle);
    await(lock, [&] { return found->isReached(); });
  });
}

DRIVER_API cuEventElapsedTime(float* millis, CUevent from, CUevent to) {
  return contextCall([&](Lock&) {
    for (const auto& one : {event(from), event(to)}) {
      require(one->mark != nullptr && (one->flags & CU_EVENT_DISABLE_TIMING) == 0,
              CUDA_ERROR_INVALID_HANDLE);
      require(one->isReached(), CUDA_ERROR_NOT_READY);
    }
    auto nanos = static_cast<int64_t>(event(to)->mark->nanos - event(from)->mark->nanos);
    *millis = static_cast<float>(nanos) / 1e6f;
  });
}

DRIVER_API cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                          CUstream stream, void** parameters, void** extra) {
  return contextCall([&](Lock& lock) {
    pass(lock, Platform::current().launchNanos);
    Launch launch = Launch::of({function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                                parameters, extra, nullptr, nullptr});
    submit(lock, Stream::of(stream), launch);
  });
}

DRIVER_API cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                     unsigned gridZ, unsigned blockX, unsigned blockY,
                                     unsigned blockZ, unsigned sharedBytes, CUstream stream,
                                     void** parameters) {
  return contextCall([&](Lock& lock) {
    Launch launch = Launch::of({function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                                parameters, nullptr, nullptr, nullptr});
    launch.requireCooperative();
    submit(lock, Stream::of(stream), launch);
  });
}

DRIVER_API cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return contextCall([&](Lock&) {
    require(function != nullptr, CUDA_ERROR_INVALID_VALUE);
    Stream::of(stream)->submit({[=] { function(data); }, {}});
  });
}
