package io.ringkernel.spring.ai.index;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Has changes of an index made one after another, in the order in which they came, until
 * it is closed.
 */
final class ChangeLock {

	/** How long a change waits for others before it. */
	private static final int MINUTES = 10;

	private final ReentrantLock lock = new ReentrantLock(true);

	/** Read and written under the lock. */
	private boolean isClosed;

	void run(Runnable change) {
		get(() -> {
			change.run();
			return this;
		});
	}

	<R> R get(Supplier<R> change) {
		return locked(() -> {
			if (this.isClosed) {
				throw new IllegalStateException(
						"The vector store has been closed, as it is with its application context. Use it before that, or build another one.");
			}
			return change.get();
		});
	}

	/**
	 * Makes the last change, unless it was made before. Those that come later fail. A
	 * thread that is interrupted makes it too, since no other thread does so later.
	 */
	void close(Runnable last) {
		boolean isInterrupted = Thread.interrupted();
		try {
			locked(() -> {
				if (!this.isClosed) {
					this.isClosed = true;
					last.run();
				}
				return this;
			});
		}
		finally {
			if (isInterrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private <R> R locked(Supplier<R> change) {
		try {
			if (!this.lock.tryLock(MINUTES, TimeUnit.MINUTES)) {
				throw new IllegalStateException(
						"A change of the vector store has waited for others for %d minutes.".formatted(MINUTES));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while another change of the vector store was made.", ex);
		}
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
	}

}
