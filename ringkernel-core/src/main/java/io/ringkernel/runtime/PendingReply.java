package io.ringkernel.runtime;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A request whose response the delivery thread waits for. From registration on, only that
 * thread withdraws the request and, if its owner has given up, releases its slot.
 */
abstract class PendingReply {

	private enum State {

		WAITING, ANSWERED, ABANDONED, ENDED

	}

	private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

	private final long position;

	private final long since;

	/** Touched by the delivery thread alone. */
	private boolean withdrawn;

	/**
	 * Creates a reply.
	 * @param position the position of its request
	 * @param since the {@link System#nanoTime} at which its time began to run
	 */
	PendingReply(long position, long since) {
		this.position = position;
		this.since = since;
	}

	final long position() {
		return this.position;
	}

	final long since() {
		return this.since;
	}

	final boolean isWaiting() {
		return is(State.WAITING);
	}

	final boolean isAnswered() {
		return is(State.ANSWERED);
	}

	/**
	 * Gives the reply up.
	 * @return whether it was still waiting; otherwise its fate is decided
	 */
	final boolean abandon() {
		return moveTo(State.ABANDONED);
	}

	/**
	 * Whether the reply was given up and its request is still to be withdrawn; says so
	 * once.
	 */
	final boolean mustWithdraw() {
		if (this.withdrawn || !is(State.ABANDONED)) {
			return false;
		}
		this.withdrawn = true;
		return true;
	}

	/**
	 * Hands the answer to the owner.
	 * @return whether the owner takes it, and releases the slot
	 */
	final boolean answer() {
		if (moveTo(State.ANSWERED)) {
			onAnswered();
			return true;
		}
		return false;
	}

	/**
	 * Tells the owner that the kernel has ended.
	 */
	final void end() {
		if (moveTo(State.ENDED)) {
			onEnded();
		}
	}

	private boolean is(State wanted) {
		return this.state.get() == wanted;
	}

	private boolean moveTo(State next) {
		return this.state.compareAndSet(State.WAITING, next);
	}

	/**
	 * How long until the reply expires, in nanoseconds; {@link Long#MAX_VALUE} if its
	 * owner watches the time itself.
	 */
	abstract long remaining(long now);

	/**
	 * Tells the owner that the reply was given up because the time has passed.
	 */
	abstract void onExpired();

	abstract void onAnswered();

	abstract void onEnded();

}
