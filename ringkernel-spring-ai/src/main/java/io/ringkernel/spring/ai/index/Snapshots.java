package io.ringkernel.spring.ai.index;

import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

import io.ringkernel.backend.DeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * Which version of the documents is searched, and which older ones still are.
 * <p>
 * Versions count changes. The kernel counts epochs of 32 bits, from 1 in each incarnation
 * of its index.
 */
final class Snapshots {

	/** How often a call begins anew because the kernel has lost its index meanwhile. */
	private static final int MAX_ATTEMPTS = 3;

	private final TreeMap<Long, Integer> readers = new TreeMap<>();

	private long version;

	private long incarnation;

	/** The version before the first one of the incarnation. */
	private long base;

	private boolean loaded;

	/** Reads the latest version; {@code null} if the kernel has lost its index. */
	<R> @Nullable R read(Function<Snapshot, @Nullable R> reader) {
		try (Snapshot snapshot = acquire()) {
			R result = (snapshot != null) ? reader.apply(snapshot) : null;
			if (result == null && snapshot != null) {
				lose(snapshot.incarnation());
			}
			return result;
		}
	}

	/**
	 * Tries something that comes to nothing if the kernel loses its index meanwhile: it
	 * does if it leaves its device, and once more when it comes back. If that happens
	 * again and again, throws a {@link DeviceLostException}.
	 */
	static <R> R untilKept(String kernelId, Supplier<@Nullable R> attempt) {
		for (int i = 0; i < MAX_ATTEMPTS; i++) {
			R result = attempt.get();
			if (result != null) {
				return result;
			}
		}
		throw DeviceLostException.repeatedly(kernelId, "its index", MAX_ATTEMPTS);
	}

	private synchronized @Nullable Snapshot acquire() {
		return this.loaded ? hold() : null;
	}

	/** Begins to read what is stored, whether or not the kernel has an index of it. */
	synchronized Snapshot hold() {
		this.readers.merge(this.version, 1, Integer::sum);
		return new Snapshot(this, this.incarnation, epochOf(this.version), this.version);
	}

	private synchronized void release(long read) {
		this.readers.computeIfPresent(read, (key, count) -> (count > 1) ? count - 1 : null);
	}

	synchronized int nextEpoch() {
		return epochOf(this.version + 1);
	}

	synchronized long nextVersion() {
		return this.version + 1;
	}

	synchronized long incarnation() {
		return this.incarnation;
	}

	/** Lets searches see what was written in the next epoch. Returns its version. */
	synchronized long publish() {
		return ++this.version;
	}

	/** Says that the index of an incarnation is to be loaded again. */
	synchronized void lose(long lost) {
		if (lost == this.incarnation) {
			this.loaded = false;
		}
	}

	/** Whether the kernel has an index whose epochs are not used up. */
	synchronized boolean isLoaded() {
		return this.loaded && this.version - this.base < Integer.MAX_VALUE - 1;
	}

	/** Begins an incarnation, which is not searched yet. */
	synchronized long renew() {
		this.loaded = false;
		this.base = this.version;
		return ++this.incarnation;
	}

	/** Lets searches see the incarnation that was begun last, as a version of its own. */
	synchronized void load() {
		this.version++;
		this.loaded = true;
	}

	synchronized long oldest() {
		return this.readers.isEmpty() ? this.version : this.readers.firstKey();
	}

	private int epochOf(long read) {
		return Math.toIntExact(read - this.base);
	}

	record Snapshot(Snapshots owner, long incarnation, int epoch, long version) implements AutoCloseable {

		@Override
		public void close() {
			this.owner.release(this.version);
		}

	}

}
