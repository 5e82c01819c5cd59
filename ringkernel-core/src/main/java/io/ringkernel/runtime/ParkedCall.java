package io.ringkernel.runtime;

import java.util.concurrent.locks.LockSupport;

/**
 * A caller that has stopped spinning. It is unparked when its response is there, and
 * takes it itself.
 */
final class ParkedCall extends PendingReply {

	private final Thread caller;

	ParkedCall(long position, Thread caller, long since) {
		super(position, since);
		this.caller = caller;
	}

	@Override
	long remaining(long now) {
		return Long.MAX_VALUE;
	}

	@Override
	void onExpired() {
		throw new IllegalStateException("A parked caller watches the time itself");
	}

	@Override
	void onAnswered() {
		LockSupport.unpark(this.caller);
	}

	@Override
	void onEnded() {
		LockSupport.unpark(this.caller);
	}

}
