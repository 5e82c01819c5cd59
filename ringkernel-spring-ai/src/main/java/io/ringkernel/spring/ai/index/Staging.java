package io.ringkernel.spring.ai.index;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Rows that are being sent to the kernel, on threads of their own. Nothing else sends
 * changes before this is closed.
 */
final class Staging implements AutoCloseable {

	private final CompletableFuture<Void> sent;

	Staging(int threads, Runnable send) {
		this.sent = CompletableFuture.allOf(IntStream.range(0, threads)
			.mapToObj((i) -> CompletableFuture.runAsync(send, Staging::start))
			.toArray(CompletableFuture<?>[]::new));
	}

	private static void start(Runnable task) {
		new Thread(task, "ringkernel-vector-stage").start();
	}

	/** Waits until the kernel has the rows, or a request for them has failed. */
	void await() {
		try {
			this.sent.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException problem) ? problem : ex;
		}
	}

	/**
	 * Waits for the end, whatever it is: a row that is still sent must not be taken for
	 * another document. Requests end in time.
	 */
	@Override
	public void close() {
		this.sent.handle((done, failure) -> failure).join();
	}

}
