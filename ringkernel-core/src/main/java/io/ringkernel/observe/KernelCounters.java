package io.ringkernel.observe;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a kernel over all its launches. Only rare events are counted and noted
 * here; the loop counts what happens with every request.
 *
 * @since 0.2.0
 */
public final class KernelCounters {

	private final LongAdder timedOut = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	private final LongAdder lost = new LongAdder();

	private final LongAdder replayed = new LongAdder();

	private final LongAdder sessions = new LongAdder();

	private final KernelErrors errors = new KernelErrors();

	/** Of the sessions that have ended, with the latest of them: replaced as a whole. */
	private volatile Ended ended = new Ended(Totals.NONE, new WeakReference<>(null));

	/** Creates the counters of a kernel to which nothing has happened. */
	public KernelCounters() {
	}

	/**
	 * Counts and notes a request that was not answered in time.
	 * @param error what its caller is thrown
	 * @return the error, to be thrown
	 */
	public RequestTimeoutException timedOut(RequestTimeoutException error) {
		this.timedOut.increment();
		return failed(error);
	}

	/**
	 * Counts and notes a request that found no slot.
	 * @param error what its caller is thrown
	 * @return the error, to be thrown
	 */
	public RingFullException rejected(RingFullException error) {
		this.rejected.increment();
		return failed(error);
	}

	/**
	 * Counts a request that a loop may have begun when it was ended, and that no loop
	 * handles again. Its caller may not be there any more to be thrown anything.
	 */
	public void lost() {
		this.lost.increment();
	}

	/**
	 * Counts requests that a loop may have begun when it was ended, and that the next one
	 * handles again.
	 * @param requests how many
	 */
	public void replayed(int requests) {
		this.replayed.add(requests);
	}

	/**
	 * Notes an error.
	 * @param <E> its type
	 * @param error the error
	 * @return the error, to be thrown
	 */
	public <E extends Throwable> E failed(E error) {
		this.errors.add(error);
		return error;
	}

	/** Counts a launch. */
	public void sessionBegun() {
		this.sessions.increment();
	}

	/**
	 * Adds what a session has counted. Called by one thread at a time.
	 * @param session the session, which has ended
	 */
	public void sessionEnded(ObservedSession session) {
		this.ended = new Ended(totals(session), new WeakReference<>(session));
	}

	/** What all sessions have counted, a session that has just ended once. */
	Totals totals(@Nullable ObservedSession current) {
		Ended before = this.ended;
		if (current == null || before.latest().refersTo(current)) {
			return before.totals();
		}
		ControlBlock control = current.region().control();
		return before.totals().plus(control.processed(), control.failed(), control.launches());
	}

	/**
	 * {@return how many requests the loops have answered so far, over all launches}
	 * @param current the present session, if there is one
	 */
	public long processed(@Nullable ObservedSession current) {
		return totals(current).processed();
	}

	long timeouts() {
		return this.timedOut.sum();
	}

	/**
	 * {@return how many requests {@link #lost()} has counted}
	 */
	public long losses() {
		return this.lost.sum();
	}

	/**
	 * {@return how many requests {@link #replayed} has counted}
	 */
	public long replays() {
		return this.replayed.sum();
	}

	long rejections() {
		return this.rejected.sum();
	}

	/** How often a session followed another. */
	long restarts() {
		return Math.max(0, this.sessions.sum() - 1);
	}

	/**
	 * {@return what went wrong lately, the latest errors first}
	 */
	public List<KernelError> latestErrors() {
		return this.errors.latestFirst();
	}

	/** Counts over all launches. */
	record Totals(long processed, long failed, long launches) {

		static final Totals NONE = new Totals(0, 0, 0);

		Totals plus(long processed, long failed, long launches) {
			return new Totals(this.processed + processed, this.failed + failed, this.launches + launches);
		}

	}

	/**
	 * Weak, because a session that has ended keeps its memory as long as it is reachable.
	 */
	private record Ended(Totals totals, WeakReference<@Nullable ObservedSession> latest) {
	}

}
