package io.ringkernel.ring;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A lock that is tried for, and never waited for without end: a thread that does not get
 * it within some looks goes on without it. A thread gives it back by storing
 * {@link #FREE} into {@link #taken}, in a {@code finally} block. That is no method call,
 * so it succeeds for a thread that has run out of stack as well.
 *
 * @since 0.2.0
 */
public final class TryLock {

	/** What {@link #taken} is while no thread has the lock. */
	public static final int FREE = 0;

	private static final int TAKEN = 1;

	/** Far longer than a thread needs the lock, if it is not kept from its core. */
	private static final int MAX_LOOKS = 1000;

	private static final AtomicIntegerFieldUpdater<TryLock> UPDATER = AtomicIntegerFieldUpdater
		.newUpdater(TryLock.class, "taken");

	/** Whether a thread has the lock. */
	public volatile int taken = FREE;

	/** Creates a lock that is free. */
	public TryLock() {
	}

	/**
	 * Takes the lock if it is free now.
	 * @return whether the calling thread has it
	 */
	public boolean tryTake() {
		return UPDATER.compareAndSet(this, FREE, TAKEN);
	}

	/**
	 * Takes the lock if it is free now, or becomes so within some looks.
	 * @return whether the calling thread has it
	 */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	public boolean tryTakeSoon() {
		for (int look = 0; look < MAX_LOOKS; look++) {
			if (tryTake()) {
				return true;
			}
			Thread.yield();
		}
		return false;
	}

}
