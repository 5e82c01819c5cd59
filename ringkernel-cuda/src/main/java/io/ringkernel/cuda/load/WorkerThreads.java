package io.ringkernel.cuda.load;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.image.KernelInfo;
import io.ringkernel.ring.RingLayout;

/**
 * How many threads make up a worker, and which requests they all handle.
 * <p>
 * A read of the bus takes a microsecond, so the time of a large message is that of the
 * bytes that a worker has in flight. Unless the user sets {@code threads-per-worker}, a
 * worker has as many threads as fetch the largest message of the kernel in one trip. A
 * request that is small all the same is handled by the first warp alone, which answers as
 * soon as a worker of one warp does. If workers share the loops of a request, each has as
 * many threads as there may be.
 *
 * @param perWorker threads of each worker
 * @param allFrom the shortest request in bytes that all of them handle; 0 for any
 * @param reason why there are so many, for display
 */
record WorkerThreads(int perWorker, int allFrom, String reason) {

	private static final int WARP = 32;

	/** What a thread has in flight at least: four loads of 16 bytes. */
	private static final int BYTES_IN_FLIGHT = 64;

	/** One kernel takes at most this part of a device unasked. */
	private static final int SHARE = 4;

	/**
	 * And at most this part of what the others have left, so that there is always more.
	 */
	private static final int SHARE_OF_REST = 3;

	/**
	 * The threads that the options state, unchecked, or those that the messages want.
	 * @param maxThreads the most threads of a block with its function, which are as many
	 * as a multiprocessor holds of it, or half as many
	 * @param taken how many multiprocessors other kernels take
	 */
	static WorkerThreads choose(KernelOptions options, KernelInfo info, int maxThreads, int multiprocessors,
			int taken) {
		if (options.threadsPerWorker() != KernelOptions.THREADS_BY_MESSAGES) {
			return stated(options.threadsPerWorker());
		}
		int largest = info.isAssisted() ? Integer.MAX_VALUE : Math.max(info.requestMaxBytes(), info.responseMaxBytes());
		int most = Math.min(maxThreads, info.maxThreadsPerWorker());
		int workers = options.workers();
		int alone = multiprocessors / SHARE;
		int beside = Math.min(alone, Math.max(0, multiprocessors - taken) / SHARE_OF_REST);
		int threads = fetching(largest, most, workers, maxThreads, beside);
		boolean held = threads < fetching(largest, most, workers, maxThreads, alone);
		String reason = held ? ", beside kernels on %d of %d multiprocessors".formatted(taken, multiprocessors) : "";
		return byMessages(threads, largest, info, reason);
	}

	/**
	 * As many as fetch a message in one trip, or as there may be.
	 * @param perMultiprocessor threads that a multiprocessor holds: those of the largest
	 * block, where registers bound that
	 * @param share how many multiprocessors there are for the workers
	 */
	private static int fetching(int bytes, int most, int workers, int perMultiprocessor, int share) {
		int threads = WARP;
		while (threads * BYTES_IN_FLIGHT < bytes && 2 * threads <= most
				&& workers <= share * (perMultiprocessor / (2 * threads))) {
			threads *= 2;
		}
		return threads;
	}

	static WorkerThreads stated(int threads) {
		return new WorkerThreads(threads, 0, "as threads-per-worker says");
	}

	private static WorkerThreads byMessages(int threads, int largest, KernelInfo info, String limit) {
		String reason = (info.isAssisted() ? "to share the loops of a request"
				: "for messages of up to %d B".formatted(largest)) + limit;
		boolean sizeTellsOfWork = info.requestMaxBytes() > RingLayout.MAX_INLINE_BYTES && info.userStateBytes() == 0
				&& !info.isCooperative();
		if (threads == WARP || !sizeTellsOfWork) {
			return new WorkerThreads(threads, 0, reason);
		}
		return new WorkerThreads(threads, RingLayout.MAX_INLINE_BYTES + 1,
				reason + "; %d of them for requests of up to %d B".formatted(WARP, RingLayout.MAX_INLINE_BYTES));
	}

}
