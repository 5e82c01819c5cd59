package io.ringkernel.runtime;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.LongAdder;

import io.ringkernel.control.ControlBlock;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a kernel over all its launches. Only rare events are counted here;
 * what happens with every request is counted by the loop.
 */
final class KernelCounters {

	private final LongAdder timedOut = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	/** Of the sessions that have ended, with the latest of them: replaced as a whole. */
	private volatile Ended ended = new Ended(0, 0, new WeakReference<>(null));

	void timedOut() {
		this.timedOut.increment();
	}

	void rejected() {
		this.rejected.increment();
	}

	/**
	 * Adds what a session has counted; called by one thread at a time.
	 */
	void sessionEnded(KernelSession<?, ?> session) {
		Totals totals = totals(session);
		this.ended = new Ended(totals.processed(), totals.failed(), new WeakReference<>(session));
	}

	/**
	 * What all sessions have counted, a session that has just ended once.
	 * @param current the present session, if there is one
	 */
	Totals totals(@Nullable KernelSession<?, ?> current) {
		Ended before = this.ended;
		if (current == null || before.latest().refersTo(current)) {
			return new Totals(before.processed(), before.failed());
		}
		ControlBlock control = current.region().control();
		return new Totals(before.processed() + control.processed(), before.failed() + control.failed());
	}

	long timeouts() {
		return this.timedOut.sum();
	}

	long rejections() {
		return this.rejected.sum();
	}

	/**
	 * Counts over all launches.
	 *
	 * @param processed requests that were answered
	 * @param failed requests on which the handler failed
	 */
	record Totals(long processed, long failed) {
	}

	/**
	 * Weak, because a session that has ended keeps its memory as long as it is reachable.
	 */
	private record Ended(long processed, long failed, WeakReference<@Nullable KernelSession<?, ?>> latest) {
	}

}
