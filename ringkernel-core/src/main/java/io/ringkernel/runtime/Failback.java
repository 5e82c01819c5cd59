package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a kernel back to the device that was lost, on a thread that exists only while the
 * kernel is away from it. It tries again and again, after longer and longer rests.
 */
final class Failback {

	private static final Logger logger = LoggerFactory.getLogger(Failback.class);

	private static final Duration SHORTEST_REST = Duration.ofMillis(50);

	private static final Duration LONGEST_REST = Duration.ofSeconds(10);

	private final String kernelId;

	private final BooleanSupplier away;

	private final BooleanSupplier attempt;

	private @Nullable Thread thread;

	/**
	 * Creates it.
	 * @param away whether the kernel still is to return
	 * @param attempt tries to return; tells whether that is over
	 */
	Failback(String kernelId, BooleanSupplier away, BooleanSupplier attempt) {
		this.kernelId = kernelId;
		this.away = away;
		this.attempt = attempt;
	}

	/**
	 * Has the kernel return as soon as it can.
	 */
	synchronized void begin() {
		if (this.thread == null) {
			Thread created = new Thread(null, this::run, "ringkernel-" + this.kernelId + "-failback", 0, false);
			created.setDaemon(true);
			this.thread = created;
			created.start();
		}
	}

	/**
	 * Has the thread look whether the kernel still is to return.
	 */
	synchronized void wake() {
		LockSupport.unpark(this.thread);
	}

	private void run() {
		long rest = SHORTEST_REST.toNanos();
		while (goesOn()) {
			LockSupport.parkNanos(this, rest);
			rest = Math.min(2 * rest, LONGEST_REST.toNanos());
			try {
				if (this.away.getAsBoolean() && this.attempt.getAsBoolean()) {
					rest = SHORTEST_REST.toNanos();
				}
			}
			catch (RuntimeException | Error ex) {
				logger.warn("Ring kernel '{}' could not return to its device and tries again", this.kernelId, ex);
			}
		}
	}

	/**
	 * Whether the kernel is away. If not, the thread ends, and the next return begins
	 * another one.
	 */
	private synchronized boolean goesOn() {
		if (!this.away.getAsBoolean()) {
			this.thread = null;
		}
		return this.thread != null;
	}

}
