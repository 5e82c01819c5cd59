package io.ringkernel.spring.ai.index;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Rows that are being sent to the kernel, on a thread of their own: the documents are
 * written meanwhile. Nothing else sends changes before this is closed.
 */
final class Staging implements AutoCloseable {

	private final CompletableFuture<Void> sent;

	Staging(Runnable send) {
		this.sent = CompletableFuture.runAsync(send, (task) -> new Thread(task, "ringkernel-vector-stage").start());
	}

	/**
	 * Waits until the kernel has the rows, or a request for them has failed.
	 */
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
