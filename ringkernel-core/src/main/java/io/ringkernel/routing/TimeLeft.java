package io.ringkernel.routing;

import java.time.Duration;

import io.ringkernel.exception.RequestTimeoutException;

/**
 * What is left of a timeout that several requests share.
 */
final class TimeLeft {

	private static final Duration SHORTEST = Duration.ofNanos(1);

	private final Duration timeout;

	private final long start;

	TimeLeft(Duration timeout) {
		this(timeout, System.nanoTime());
	}

	TimeLeft(Duration timeout, long start) {
		this.timeout = timeout;
		this.start = start;
	}

	/**
	 * The timeout of the next request: a nanosecond once all has passed, since a client
	 * refuses less. A timeout that is none is left to the client to refuse.
	 */
	Duration get() {
		Duration left = left();
		return (left.compareTo(SHORTEST) < 0 && this.timeout.compareTo(SHORTEST) >= 0) ? SHORTEST : left;
	}

	boolean isOver() {
		return left().compareTo(SHORTEST) < 0;
	}

	private Duration left() {
		return this.timeout.minusNanos(System.nanoTime() - this.start);
	}

	/**
	 * The failure of a request that was not answered in time. It tells of the whole
	 * timeout, where that of a client tells of what was left for one request.
	 */
	RequestTimeoutException late(String kernelId, Throwable why) {
		RequestTimeoutException late = new RequestTimeoutException(kernelId, this.timeout);
		late.addSuppressed(why);
		return late;
	}

}
