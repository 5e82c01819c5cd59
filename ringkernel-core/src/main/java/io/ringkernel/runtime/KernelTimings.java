package io.ringkernel.runtime;

import java.util.Arrays;
import java.util.stream.Stream;

import io.ringkernel.InvalidConfigurationException;
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
 */
public final class KernelTimings {

	/** One request in so many is timed where nobody says otherwise. */
	public static final int DEFAULT_INTERVAL = 16;

	/** The most requests of which only one is timed. */
	public static final int MAX_INTERVAL = 1 << 20;

	/** How many positions in a row are timed, or not. */
	private static final int GROUP = 8;

	private static final Logger logger = LoggerFactory.getLogger(KernelTimings.class);

	/**
	 * 2<sup>64</sup> divided by the golden ratio: its multiples spread evenly over all
	 * 64-bit values, whatever the stride.
	 */
	private static final long SPREAD = 0x9e3779b97f4a7c15L;

	private final String kernelId;

	private final LatencyHistogram total = new LatencyHistogram();

	private final LatencyHistogram queued = new LatencyHistogram();

	private final LatencyHistogram handling = new LatencyHistogram();

	private final LatencyHistogram delivery = new LatencyHistogram();

	/** Replaced as a whole: to go through it allocates nothing. */
	private volatile RequestTimingListener[] listeners = {};

	/** The largest spread position that is timed, offset for a signed comparison. */
	private volatile long limit = limit(DEFAULT_INTERVAL);

	KernelTimings(String kernelId) {
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

	static void check(int interval) {
		if (interval < 1 || interval > MAX_INTERVAL) {
			throw new InvalidConfigurationException("ringkernel.timing-interval", interval, "is out of range",
					"Set it to a value from 1 to %d.".formatted(MAX_INTERVAL));
		}
	}

	private static long limit(int interval) {
		return Long.divideUnsigned(-1L, interval) + Long.MIN_VALUE;
	}

	/**
	 * Whether the request at a position is to be timed.
	 */
	boolean isDue(long position) {
		return position / GROUP * SPREAD + Long.MIN_VALUE <= this.limit;
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

	void record(long total, long queued, long handling, long delivery) {
		this.total.record(total);
		if (handling != RequestTimingListener.UNKNOWN) {
			this.queued.record(queued);
			this.handling.record(handling);
			this.delivery.record(delivery);
		}
		for (RequestTimingListener listener : this.listeners) {
			try {
				listener.onAnswered(total, queued, handling, delivery);
			}
			catch (RuntimeException ex) {
				removeListener(listener);
				logger.error("A timing listener of ring kernel '{}' failed and is not called again", this.kernelId, ex);
			}
		}
	}

	/**
	 * From the first look for a free slot until the response was decoded.
	 * @return a summary over all launches
	 */
	public LatencySummary total() {
		return this.total.summary();
	}

	/**
	 * From the first look for a free slot until a worker began the request.
	 * @return a summary over all launches; empty where the loop does not note it
	 */
	public LatencySummary queued() {
		return this.queued.summary();
	}

	/**
	 * While a worker decoded the request and the handler ran.
	 * @return a summary over all launches; empty where the loop does not note it
	 */
	public LatencySummary handling() {
		return this.handling.summary();
	}

	/**
	 * From the end of the handler until the response was decoded.
	 * @return a summary over all launches; empty where the loop does not note it
	 */
	public LatencySummary delivery() {
		return this.delivery.summary();
	}

}
