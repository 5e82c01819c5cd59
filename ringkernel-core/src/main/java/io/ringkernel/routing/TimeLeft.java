package io.ringkernel.routing;

import java.time.Duration;

/**
 * What is left of a timeout that several requests share.
 */
final class TimeLeft {

	private static final Duration SHORTEST = Duration.ofNanos(1);

	private final Duration timeout;

	private final long start = System.nanoTime();

	TimeLeft(Duration timeout) {
		this.timeout = timeout;
	}

	/**
	 * The timeout of the next request: a nanosecond once all has passed, since a client
	 * refuses less. A timeout that is none is left to the client to refuse.
	 */
	Duration get() {
		Duration left = this.timeout.minusNanos(System.nanoTime() - this.start);
		return (left.compareTo(SHORTEST) < 0 && this.timeout.compareTo(SHORTEST) >= 0) ? SHORTEST : left;
	}

}
