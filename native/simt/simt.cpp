#include "simt.hpp"

#include "block.hpp"
#include "clock.hpp"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace simt {
namespace {

/** The block that runs on this thread of the operating system. */
Block& block() {
  return *Block::current();
}

}  // namespace

Ordering& Ordering::current() {
  return block().ordering();
}

void Ordering::annotateAcquire([[maybe_unused]] const void* at) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(const_cast<void*>(at));
#endif
}

void Ordering::annotateRelease([[maybe_unused]] const void* at) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(const_cast<void*>(at));
#endif
}

void barrier(uint32_t id, uint32_t threads) {
  block().barrier(id, threads);
}

bool barrierAny(uint32_t id, uint32_t threads, bool predicate) {
  return block().barrierAny(id, threads, predicate);
}

uint64_t deviceNanoTime() {
  block().yield();
  return nanoTime();
}

void pause(uint32_t nanos) {
  block().pause(nanos);
}

void trap() {
  block().fault(Ending::TRAPPED);
}

void exitThread() {
  block().exitThread();
}

uint8_t* dynamicShared() {
  return block().shared();
}

std::array<std::atomic<uint64_t>, 64>& busReads() {
  static std::array<std::atomic<uint64_t>, 64> reads;
  return reads;
}

std::atomic<uint64_t>& wordReads() {
  static std::atomic<uint64_t> reads;
  return reads;
}

dim3 currentThread() {
  return {block().thread()};
}

dim3 currentBlock() {
  return {block().index()};
}

dim3 currentGrid() {
  return {block().shape().blocks};
}

dim3 currentBlockSize() {
  return {block().shape().threads};
}

uint64_t exchange(uint64_t word, uint32_t lane) {
  return block().exchange(word)[lane];
}

const Operands* exchange(const Operands& own) {
  return block().exchange(own);
}

uint32_t ballot(bool predicate) {
  const uint64_t* words = block().exchange(predicate ? 1 : 0);
  uint32_t result = 0;
  for (uint32_t i = 0; i < 32; i++) {
    result |= (words[i] != 0 ? 1u : 0u) << i;
  }
  return result;
}

}  // namespace simt

void __syncthreads() {
  simt::barrier(UINT32_MAX, simt::currentBlockSize().x);
}
