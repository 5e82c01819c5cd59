// The boundary between a worker and a handler that is compiled without it: the call, and what a
// handler may ask of its worker. The names are those of C, and all that crosses is numbers and
// addresses, so that a handler may be made by another compiler.
#pragma once

#include <cstdint>

namespace ringkernel {

/** A request that is being handled, as its worker knows it. A handler hands it back. */
struct Call;

}  // namespace ringkernel

extern "C" {

/**
 * The handler, which the worker calls by all its threads for each request that is valid.
 * @param in the request, in one piece
 * @param out the fixed block of the response, all zero
 */
__device__ void ringkernel_handle(ringkernel::Call* call, const void* in, void* out);

/** The number of this thread in its worker. */
__device__ uint32_t ringkernel_lane(const ringkernel::Call* call);

/** How many threads handle the request: a multiple of 32, and not the same for each. */
__device__ uint32_t ringkernel_lanes(const ringkernel::Call* call);

/** The number of this worker in the kernel. */
__device__ uint32_t ringkernel_worker_number(const ringkernel::Call* call);

/** Waits for all threads of the worker; what they wrote before is seen by all after. */
__device__ void ringkernel_sync(const ringkernel::Call* call);

/** The same; tells all of them whether any came with a predicate other than 0. */
__device__ uint32_t ringkernel_any(const ringkernel::Call* call, uint32_t predicate);

/** 64 bytes of the worker, for what its threads tell each other between barriers. */
__device__ void* ringkernel_exchange(ringkernel::Call* call);

/**
 * Memory of the worker for one request, as much of it as the handler has told its host in
 * KernelInfo::stagingBytesPerWorker. It holds what an earlier request has left.
 */
__device__ void* ringkernel_scratch(const ringkernel::Call* call);

/** Fails the request with a code; called by one thread or more. */
__device__ void ringkernel_fail(const ringkernel::Call* call, int32_t code);

/** Waits for all workers of the kernel; 0 if the handler is to return, and is begun anew later. */
__device__ uint32_t ringkernel_meet_all(const ringkernel::Call* call);

/** The state of the handler in device memory. */
__device__ void* ringkernel_state(const ringkernel::Call* call);
__device__ uint64_t ringkernel_state_bytes(const ringkernel::Call* call);

/**
 * Gives an array of the response its length; called by all threads of the worker with the same.
 * @param array the member of the response, {offset, length}
 * @return where its elements are to be written, all zero; null if there are none, as the size is 0
 * or more than the response holds, which makes that invalid
 */
__device__ void* ringkernel_resize(ringkernel::Call* call, void* array, uint32_t elementBytes,
                                   uint32_t capacity, uint32_t size);
}
