#include "platform.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

namespace emulator {
namespace {

constexpr uint64_t MILLISECOND = 1'000'000;
constexpr uint64_t SECOND = 1000 * MILLISECOND;

/** A number of milliseconds from the environment, in nanoseconds. */
uint64_t fromEnvironment(const char* variable, uint64_t otherwise) {
  const char* text = getenv(variable);
  return text == nullptr ? otherwise : strtoull(text, nullptr, 10) * MILLISECOND;
}

uint64_t lossDelay() {
  return fromEnvironment("RINGKERNEL_EMULATED_LOSS_MILLIS", 1 * SECOND);
}

using Change = std::function<void(Platform&)>;

const std::map<std::string, Change>& platforms() {
  static const std::map<std::string,
                        Change>& all = *new std::map<std::string,
                                                     Change>{{"native-linux", [](Platform&) {}},
                                                             // As deviceQuery shows it under WSL2;
                                                             // pinning is what fails there although
                                                             // it is announced.
                                                             {"wsl2",
                                                              [](Platform& platform) {
                                                                platform.pins = false;
                                                                platform.blocksWhileRunning = true;
                                                                platform.saysTimeLimit = true;
                                                              }},
                                                             {"wddm",
                                                              [](Platform& platform) {
                                                                platform.saysTimeLimit = true;
                                                                platform.kernelLimitNanos =
                                                                    fromEnvironment(
                                                                        "RINGKERNEL_EMULATED_TIME_"
                                                                        "LIMIT_MILLIS",
                                                                        2 * SECOND);
                                                              }},
                                                             // Host memory stays where it is
                                                             // pageable, and copies go on beside
                                                             // a kernel.
                                                             {"no-pinning",
                                                              [](Platform& platform) {
                                                                platform.pins = false;
                                                              }},
                                                             {"late-copies",
                                                              [](Platform& platform) {
                                                                platform.pins = false;
                                                                platform.stagedNanos =
                                                                    20 * MILLISECOND;
                                                              }},
                                                             {"no-graphs",
                                                              [](Platform& platform) {
                                                                platform.graphs = false;
                                                              }},
                                                             // As they are beside graphs on a real
                                                             // device, only more so: a busy machine
                                                             // holds up either by a few milliseconds.
                                                             {"slow-launches",
                                                              [](Platform& platform) {
                                                                platform.launchNanos =
                                                                    5 * MILLISECOND;
                                                              }},
                                                             {"old-gpu",
                                                              [](Platform& platform) {
                                                                platform.capability = 61;
                                                              }},
                                                             {"old-driver",
                                                              [](Platform& platform) {
                                                                platform.driverVersion = 11080;
                                                              }},
                                                             {"no-device",
                                                              [](Platform& platform) {
                                                                platform.initialization =
                                                                    CUDA_ERROR_NO_DEVICE;
                                                              }},
                                                             {"stub-library",
                                                              [](Platform& platform) {
                                                                platform.initialization =
                                                                    CUDA_ERROR_STUB_LIBRARY;
                                                              }},
                                                             {"out-of-memory",
                                                              [](Platform& platform) {
                                                                platform.memoryBytes = 0;
                                                              }},
                                                             {"launch-failure",
                                                              [](Platform& platform) {
                                                                platform.launch =
                                                                    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
                                                              }},
                                                             {"sticky-fault",
                                                              [](Platform& platform) {
                                                                platform.lostAfterNanos =
                                                                    lossDelay();
                                                                platform.loss =
                                                                    CUDA_ERROR_ILLEGAL_ADDRESS;
                                                              }},
                                                             {"slow-device",
                                                              [](Platform& platform) {
                                                                platform.callNanos =
                                                                    20 * MILLISECOND;
                                                              }},
                                                             // Has fallen off the bus: the driver
                                                             // knows, and says so.
                                                             {"lost-device",
                                                              [](Platform& platform) {
                                                                platform.lostAfterNanos =
                                                                    lossDelay();
                                                                platform.loss = CUDA_ERROR_UNKNOWN;
                                                              }},
                                                             // The driver waits for the device for
                                                             // ever.
                                                             {"hung-device",
                                                              [](Platform& platform) {
                                                                platform.lostAfterNanos =
                                                                    lossDelay();
                                                                platform.loss = CUDA_ERROR_UNKNOWN;
                                                                platform.hangsWhenLost = true;
                                                              }}};
  return all;
}

Platform chosen() {
  const char* variable = getenv("RINGKERNEL_EMULATED_PLATFORM");
  Platform platform;
  if (const char* devices = getenv("RINGKERNEL_EMULATED_DEVICES")) {
    platform.devices = static_cast<int>(strtol(devices, nullptr, 10));
  }
  if (variable == nullptr || *variable == 0) {
    return platform;
  }
  auto found = platforms().find(variable);
  if (found == platforms().end()) {
    fprintf(stderr, "RINGKERNEL_EMULATED_PLATFORM is '%s' and must be one of", variable);
    for (const auto& known : platforms()) {
      fprintf(stderr, " %s", known.first.c_str());
    }
    fprintf(stderr, "\n");
    exit(2);
  }
  platform.name = variable;
  found->second(platform);
  return platform;
}

}  // namespace

const Platform& Platform::current() {
  static const Platform& platform = *new Platform(chosen());
  return platform;
}

}  // namespace emulator
