#include "launching.hpp"

#include "call.hpp"
#include "module.hpp"

namespace emulator {
namespace {

/** Notes that so many kernels have ended. */
void ended(uint32_t kernels) {
  Device& device = Device::get();
  Lock lock(device.mutex);
  device.kernels -= kernels;
  device.changed.notify_all();
}

void loadFunction(Lock& lock, const Launch& launch) {
  if (!launch.function->loaded) {
    awaitAll(lock);
    launch.function->loaded = true;
  }
}

}  // namespace

Work workOf(const Launch& launch) {
  return {[launch] { launch.run(); }, launch};
}

void submit(Lock& lock, const std::shared_ptr<Stream>& stream, const Launch& launch) {
  require(Platform::current().launch == CUDA_SUCCESS, Platform::current().launch);
  if (stream->isCapturing()) {
    stream->submit(workOf(launch));
    return;
  }
  loadFunction(lock, launch);
  Device::get().kernels++;
  stream->submit({[launch] {
                    launch.run();
                    ended(1);
                  },
                  launch});
}

void submit(Lock& lock, const std::shared_ptr<Stream>& stream,
            const std::shared_ptr<GraphExec>& graph) {
  require(Platform::current().launch == CUDA_SUCCESS, Platform::current().launch);
  require(!stream->isCapturing(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  uint32_t kernels = 0;
  std::vector<Work> steps;
  for (const GraphExec::Step& step : graph->steps) {
    if (step.work.launch) {
      loadFunction(lock, *step.work.launch);
      kernels++;
    }
    steps.push_back(step.work);
  }
  Device::get().kernels += kernels;
  Position before = graph->last;
  graph->last = stream->submit({[before, steps, kernels] {
                                  if (before.stream != nullptr) {
                                    Lock lock(Device::get().mutex);
                                    Device::get().await(lock, [&] { return before.isReached(); });
                                  }
                                  for (const Work& step : steps) {
                                    step.run();
                                  }
                                  ended(kernels);
                                },
                                {}});
}

}  // namespace emulator
