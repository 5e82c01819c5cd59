package io.ringkernel.observe;

import org.jspecify.annotations.Nullable;

/**
 * When a count was last seen to change, by those who looked at it: nobody watches it in
 * between, so it may have changed up to one look earlier.
 */
final class Progress {

	private volatile @Nullable Seen seen;

	/** For how long the count has been the same, in nanoseconds; 0 at the first look. */
	long unchangedFor(long count, long now) {
		Seen last = this.seen;
		if (last == null || last.count() != count) {
			this.seen = new Seen(count, now);
			return 0;
		}
		return Math.max(0, now - last.since());
	}

	private record Seen(long count, long since) {
	}

}
