package io.ringkernel.spring.ai.index;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * What searches have taken, all of them and the last ones. Safe for use by any number of
 * threads.
 *
 * @since 0.2.0
 */
public final class SearchTimes {

	private static final int RECENT = 128;

	private final LongAdder count = new LongAdder();

	private final LongAdder nanos = new LongAdder();

	private final LongAdder bytes = new LongAdder();

	private final AtomicLong recorded = new AtomicLong();

	private final AtomicReferenceArray<Search> recent = new AtomicReferenceArray<>(RECENT);

	SearchTimes() {
	}

	void record(long searchNanos, long vectorBytes) {
		this.count.increment();
		this.nanos.add(searchNanos);
		this.bytes.add(vectorBytes);
		this.recent.set((int) (this.recorded.getAndIncrement() % RECENT), new Search(searchNanos, vectorBytes));
	}

	/**
	 * How many searches there were.
	 * @return a count
	 */
	public long count() {
		return this.count.sum();
	}

	/**
	 * What all searches have taken together, from the vector to the documents.
	 * @return nanoseconds
	 */
	public long totalNanos() {
		return this.nanos.sum();
	}

	/**
	 * How large the vectors are that searches were to compare with, added up.
	 * @return bytes
	 */
	public long totalBytes() {
		return this.bytes.sum();
	}

	/**
	 * The last searches, at most 128 of them.
	 * @return the searches, in no order
	 */
	public List<Search> recent() {
		return IntStream.range(0, RECENT).mapToObj(this.recent::get).filter(Objects::nonNull).toList();
	}

	/**
	 * A search.
	 *
	 * @param nanos what it took, from the vector to the documents, in nanoseconds
	 * @param bytes how large the vectors are that it was to compare with
	 * @since 0.2.0
	 */
	public record Search(long nanos, long bytes) {
	}

}
