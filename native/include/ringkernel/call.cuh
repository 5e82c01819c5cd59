// The boundary between a worker and a handler that is compiled without it: the function that the
// worker calls, and the memory in which it finds what it needs of its worker. All that crosses is
// numbers and addresses, so that a handler may be made by another compiler.
#pragma once

#include <ringkernel/abi.cuh>
#include <ringkernel/response_builder.cuh>

namespace ringkernel {

class Block;
struct Failure;
struct Meeting;

/**
 * What a handler finds of its worker. It lies in shared memory, is the same for all requests of a
 * launch but for the exchange, and is no more than addresses: a function of the worker would cost a
 * handler the registers that it keeps around a call. io.ringkernel.compiler.ir.WorkerCall has the
 * same offsets.
 */
struct Call {
  /** What the threads of the worker tell each other between barriers. */
  uint64_t exchange[8];
  const Launch* launch;
  Failure* failure;
  /**
   * Where the response lies in device memory as far as it has no room nearby. Behind the largest
   * response, at the next line, lies the memory that the handler has for one request: as much as it
   * has told its host in KernelInfo::stagingBytesPerWorker, with what an earlier request has left.
   */
  uint8_t* distant;
  Block* block;
  Meeting* meeting;
  /** The number of this worker in the kernel. */
  uint32_t worker;
  /** Where its threads wait for each other if they are more than a warp. */
  uint32_t barrier;
};

static_assert(offsetof(Call, exchange) == 0);
static_assert(offsetof(Call, launch) == 64);
static_assert(offsetof(Call, failure) == 72);
static_assert(offsetof(Call, distant) == 80);
static_assert(offsetof(Call, barrier) == 108);

}  // namespace ringkernel

/**
 * The handler, which the worker calls by all its threads for each request.
 * @param in the request, in one piece; nothing of it has been checked. In shared memory if no
 * message of its layout is too large to travel inside its slot
 * @param length the size of the request
 * @param out the fixed block of the response, all zero; in shared memory if it has room there
 * @param lane the number of this thread in its worker
 * @param lanes how many threads handle the request: a multiple of 32, and not the same for each
 */
extern "C" __device__ ringkernel::Handled ringkernel_handle(ringkernel::Call* call, const void* in,
                                                            uint32_t length, void* out,
                                                            uint32_t lane, uint32_t lanes);
