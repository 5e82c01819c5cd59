package io.ringkernel.observe;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.exception.InvalidConfigurationException;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the requests of a kernel take. One request in so many is timed, since a GPU
 * answers in about the time that reading the clock a hundred times takes: a request that
 * is not timed costs one multiplication and two looks at memory that is in the cache, one
 * that is costs about four readings of the clock and what its listeners cost. Neither
 * allocates.
 * <p>
 * Which ones are timed depends on their position in the ring alone, spread so that it
 * favours no slot and no worker, and not on how long they take. They come in groups of
 * {@value #GROUP} neighbours, whose times share a cache line: each line in which a time
 * is noted goes from the sender to the receiver and back.
 *
 * @since 0.1.0
 */
public final class KernelTimings {

	/** One request in so many is timed where nobody says otherwise. */
	public static final int DEFAULT_INTERVAL = 16;

	/** The most requests of which only one is timed. */
	public static final int MAX_INTERVAL = 1 << 20;

	/** Longer times count as this one, in nanoseconds. */
	static final long LONGEST = Duration.ofDays(1).toNanos();

	/** Significant decimal digits of a time: 40 KiB for a histogram. */
	private static final int DIGITS = 2;

	/** How many positions in a row are timed, or not. */
	private static final int GROUP = 8;

	private static final Logger logger = LoggerFactory.getLogger(KernelTimings.class);

	/**
	 * 2<sup>64</sup> divided by the golden ratio: its multiples spread evenly over all
	 * 64-bit values, whatever the stride.
	 */
	private static final long SPREAD = 0x9e3779b97f4a7c15L;

	private final String kernelId;

	private final AtomicHistogram total = new AtomicHistogram(LONGEST, DIGITS);

	private final AtomicHistogram queued = new AtomicHistogram(LONGEST, DIGITS);

	private final AtomicHistogram handling = new AtomicHistogram(LONGEST, DIGITS);

	private final AtomicHistogram delivery = new AtomicHistogram(LONGEST, DIGITS);

	/** Replaced as a whole: to go through it allocates nothing. */
	private volatile RequestTimingListener[] listeners = {};

	/** The largest spread position that is timed, offset for a signed comparison. */
	private volatile long limit = limit(DEFAULT_INTERVAL);

	/**
	 * Creates the timings of a kernel.
	 * @param kernelId its id
	 */
	public KernelTimings(String kernelId) {
		this.kernelId = kernelId;
	}

	/**
	 * Times one request in so many from now on.
	 * @param interval how many; 1 for every request
	 * @throws InvalidConfigurationException if it is not from 1 to {@value #MAX_INTERVAL}
	 */
	public void interval(int interval) {
		check(interval);
		this.limit = limit(interval);
	}

	/**
	 * Checks an interval.
	 * @param interval the interval
	 * @throws InvalidConfigurationException if it is not from 1 to {@value #MAX_INTERVAL}
	 */
	public static void check(int interval) {
		if (interval < 1 || interval > MAX_INTERVAL) {
			throw new InvalidConfigurationException("ringkernel.timing-interval", interval, "is out of range",
					"Set it to a value from 1 to %d.".formatted(MAX_INTERVAL));
		}
	}

	private static long limit(int interval) {
		return Long.divideUnsigned(-1L, interval) + Long.MIN_VALUE;
	}

	/**
	 * {@return whether the request at a position is to be timed}
	 * @param position the position
	 */
	public boolean isDue(long position) {
		return position / GROUP * SPREAD + Long.MIN_VALUE <= this.limit;
	}

	/**
	 * {@return whether one of several requests is to be timed}
	 * @param first the position of the first
	 * @param count how many follow each other
	 * @since 0.2.0
	 */
	public boolean isAnyDue(long first, int count) {
		boolean isDue = false;
		// Those of a group are alike.
		for (long position = first; position < first + count; position = (position / GROUP + 1) * GROUP) {
			isDue |= isDue(position);
		}
		return isDue;
	}

	/**
	 * Has a listener told of every request that is timed from now on.
	 * @param listener the listener
	 */
	public synchronized void addListener(RequestTimingListener listener) {
		this.listeners = Stream.concat(Arrays.stream(this.listeners), Stream.of(listener))
			.toArray(RequestTimingListener[]::new);
	}

	/**
	 * Stops telling a listener.
	 * @param listener the listener
	 */
	public synchronized void removeListener(RequestTimingListener listener) {
		this.listeners = Arrays.stream(this.listeners)
			.filter((other) -> !other.equals(listener))
			.toArray(RequestTimingListener[]::new);
	}

	/**
	 * Records a request that was timed. All durations are in nanoseconds.
	 * @param total from the first look for a slot until the response was decoded
	 * @param queued until a worker began it, or {@link RequestTimingListener#UNKNOWN}
	 * @param handling while it was handled, or unknown
	 * @param delivery from its end until the response was decoded, or unknown
	 */
	public void record(long total, long queued, long handling, long delivery) {
		record(this.total, total);
		if (handling != RequestTimingListener.UNKNOWN) {
			record(this.queued, queued);
			record(this.handling, handling);
			record(this.delivery, delivery);
		}
		for (RequestTimingListener listener : this.listeners) {
			try {
				listener.onAnswered(total, queued, handling, delivery);
			}
			catch (RuntimeException | Error ex) {
				removeListener(listener);
				logger.error("A timing listener of ring kernel '{}' failed and is not called again", this.kernelId, ex);
			}
		}
	}

	private static void record(AtomicHistogram histogram, long nanos) {
		histogram.recordValue(Math.max(0, Math.min(nanos, LONGEST)));
	}

	/**
	 * {@return the times from the first look for a free slot until the response was
	 * decoded, over all launches}
	 */
	public LatencySummary total() {
		return LatencySummary.of(this.total);
	}

	/**
	 * {@return how the times that {@link #total()} summarizes are distributed: those
	 * buckets that have any, over all launches, the quickest first}
	 * @since 0.2.0
	 */
	public List<LatencyBucket> totalBuckets() {
		return LatencyBucket.of(copyOfTotal());
	}

	Histogram copyOfTotal() {
		return LatencySummary.copy(this.total);
	}

	/**
	 * {@return the times from the first look for a free slot until a worker began the
	 * request, over all launches; empty where the loop does not note it}
	 */
	public LatencySummary queued() {
		return LatencySummary.of(this.queued);
	}

	/**
	 * {@return the times in which a worker decoded the request and the handler ran, over
	 * all launches; empty where the loop does not note it}
	 */
	public LatencySummary handling() {
		return LatencySummary.of(this.handling);
	}

	/**
	 * {@return the times from the end of the handler until the response was decoded, over
	 * all launches; empty where the loop does not note it}
	 */
	public LatencySummary delivery() {
		return LatencySummary.of(this.delivery);
	}

}
