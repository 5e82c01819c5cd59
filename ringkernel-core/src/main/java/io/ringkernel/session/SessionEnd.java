package io.ringkernel.session;

import io.ringkernel.KernelState;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a session has ended, and why. Those who wait look at it from time to time.
 */
final class SessionEnd {

	private final String kernelId;

	private volatile boolean ended;

	private @Nullable Throwable cause;

	SessionEnd(String kernelId) {
		this.kernelId = kernelId;
	}

	/** Ends the session once. The volatile flag publishes the cause before it. */
	synchronized void set(@Nullable Throwable cause) {
		if (!this.ended) {
			this.cause = cause;
			this.ended = true;
		}
	}

	boolean isSet() {
		return this.ended;
	}

	/** Throws if the session has ended, and nothing was sent to it. */
	void checkOpen() {
		if (this.ended) {
			throw new KernelNotActiveException(this.kernelId,
					(this.cause != null) ? KernelState.FAILED : KernelState.TERMINATED);
		}
	}

	void check() {
		if (this.ended) {
			throw exception();
		}
	}

	KernelTerminatedException exception() {
		return new KernelTerminatedException(this.kernelId, this.cause);
	}

}
