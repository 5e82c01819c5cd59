package io.ringkernel.cuda.host.remote;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Notices that a loop does not get done with a request. A worker does not tell since when
 * it has been handling one, so the time counts from the first look that finds it. For one
 * thread at a time.
 */
final class StuckWatch {

	private final long limitNanos;

	/** When each request was first found among those that may have been begun. */
	private Map<Long, Long> since = Map.of();

	StuckWatch(Duration limit) {
		this.limitNanos = limit.toNanos();
	}

	/**
	 * Looks at what is handled, and returns the position of the oldest request that has
	 * been for too long.
	 * @param begun the positions of the requests that may have been begun
	 */
	OptionalLong overdue(long[] begun, long now) {
		Map<Long, Long> found = new HashMap<>();
		for (long position : begun) {
			found.put(position, this.since.getOrDefault(position, now));
		}
		this.since = found;
		return found.entrySet()
			.stream()
			.filter((request) -> now - request.getValue() >= this.limitNanos)
			.mapToLong(Map.Entry::getKey)
			.min();
	}

}
