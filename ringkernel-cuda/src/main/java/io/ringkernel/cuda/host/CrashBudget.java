package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How often a host may end before it is given up: three times, of which one is forgiven
 * every five minutes after it has happened. For one thread at a time.
 */
final class CrashBudget {

	static final int CRASHES = 3;

	static final Duration FORGIVEN_AFTER = Duration.ofMinutes(5);

	private final int most;

	private final Deque<Long> crashes = new ArrayDeque<>();

	CrashBudget() {
		this(CRASHES);
	}

	CrashBudget(int most) {
		this.most = most;
	}

	/** Notes a crash at a {@link System#nanoTime}. */
	void spend(long now) {
		forgive(now);
		this.crashes.add(now);
	}

	boolean isSpent(long now) {
		forgive(now);
		return this.crashes.size() >= this.most;
	}

	private void forgive(long now) {
		while (!this.crashes.isEmpty() && now - this.crashes.element() >= FORGIVEN_AFTER.toNanos()) {
			this.crashes.remove();
		}
	}

}
