package io.ringkernel.benchmarks;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Two threads that hand a turn to each other through a volatile field. The caller parks;
 * the other one looks all the time, works and unparks it.
 */
final class BareHandOver {

	private static final int MOST = 20_000;

	private final long workNanos;

	private final Thread caller = Thread.currentThread();

	private volatile boolean called;

	private volatile boolean ended;

	private long worked;

	BareHandOver(long workNanos) {
		this.workNanos = workNanos;
	}

	/** Measures by how many nanoseconds a turn takes longer than the work, sorted. */
	long[] measure(long forNanos) {
		Thread worker = new Thread(this::answer, "bare-hand-over");
		worker.setDaemon(true);
		worker.start();
		long[] overheads = new long[MOST];
		int turns = 0;
		long begin = System.nanoTime();
		long now = begin;
		while (now - begin < forNanos && turns < MOST) {
			long began = now;
			this.called = true;
			while (this.called) {
				LockSupport.park(this);
			}
			now = System.nanoTime();
			overheads[turns++] = now - began - this.worked;
		}
		this.ended = true;
		long[] sorted = Arrays.copyOf(overheads, turns);
		Arrays.sort(sorted);
		return sorted;
	}

	private void answer() {
		while (!this.ended) {
			if (this.called) {
				this.worked = CallWait.keepBusy(this.workNanos);
				this.called = false;
				LockSupport.unpark(this.caller);
			}
			Thread.onSpinWait();
		}
	}

}
