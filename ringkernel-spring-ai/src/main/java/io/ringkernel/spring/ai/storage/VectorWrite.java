package io.ringkernel.spring.ai.storage;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Vectors that are being written to rows that no document uses, on a thread of their own:
 * it takes most of the time of a large change, which prepares the rest meanwhile. Nobody
 * else writes to these rows before this is closed.
 *
 * @since 0.2.0
 */
public final class VectorWrite implements AutoCloseable {

	private final Map<Integer, Integer> checksums;

	private final CompletableFuture<Void> written;

	VectorWrite(Map<Integer, Integer> checksums, Runnable write) {
		this.checksums = checksums;
		this.written = CompletableFuture.runAsync(write, (task) -> new Thread(task, "ringkernel-vector-write").start());
	}

	int checksum(int row) {
		return Objects.requireNonNull(this.checksums.get(row), () -> "No vector is written to row %d.".formatted(row));
	}

	/** Waits until they are on the disk, or throws what their write has thrown. */
	void await() {
		try {
			this.written.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof StorageException problem) ? problem : ex;
		}
	}

	/**
	 * Waits for the end, whatever it is. That is as long as the disk takes: a row that is
	 * still written must not be taken for another document.
	 */
	@Override
	public void close() {
		this.written.handle((done, failure) -> failure).join();
	}

}
