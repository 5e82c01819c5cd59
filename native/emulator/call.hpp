// What each function of the driver does before its own part.
#pragma once

#include <atomic>
#include <new>
#include <stdexcept>

#include "device.hpp"

namespace emulator {

/** Whether the driver was initialized. */
extern std::atomic<bool> initialized;

/** Lets a call take so long, without the lock. */
void pass(Lock& lock, uint64_t nanos);

/** Enters the driver: waits, fails and hangs as its platform has it. */
void enter(Lock& lock, bool needsContext);

/** Runs the body of a function, with the lock held. */
template <typename Body>
CUresult call(bool needsContext, Body body) {
  Lock lock(Device::get().mutex);
  try {
    enter(lock, needsContext);
    body(lock);
    return CUDA_SUCCESS;
  } catch (const Failure& failure) {
    return failure.code;
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

/** A function that needs the driver only. */
template <typename Body>
CUresult driverCall(Body body) {
  return call(false, body);
}

/** A function that needs a context. */
template <typename Body>
CUresult contextCall(Body body) {
  return call(true, body);
}

/** Waits for something, then fails if the device was lost meanwhile. */
template <typename Condition>
void await(Lock& lock, Condition condition) {
  Device& device = Device::get();
  device.await(lock, condition);
  require(device.answer() == CUDA_SUCCESS, device.answer());
}

/** Waits for all that was submitted, then fails if the device was lost meanwhile. */
void awaitAll(Lock& lock);

}  // namespace emulator
