package io.ringkernel.runtime;

import java.util.concurrent.atomic.LongAdder;

/**
 * What happened to a kernel over all its launches. Only rare events are counted here;
 * what happens with every request is counted by the loop.
 */
final class KernelCounters {

	private final LongAdder timedOut = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	/** Of the sessions that have ended. */
	private final LongAdder processed = new LongAdder();

	private final LongAdder failed = new LongAdder();

	void timedOut() {
		this.timedOut.increment();
	}

	void rejected() {
		this.rejected.increment();
	}

	/**
	 * Adds what a session has counted.
	 */
	void sessionEnded(KernelSession<?, ?> session) {
		this.processed.add(session.region().control().processed());
		this.failed.add(session.region().control().failed());
	}

	long processedBefore() {
		return this.processed.sum();
	}

	long failedBefore() {
		return this.failed.sum();
	}

	long timeouts() {
		return this.timedOut.sum();
	}

	long rejections() {
		return this.rejected.sum();
	}

}
