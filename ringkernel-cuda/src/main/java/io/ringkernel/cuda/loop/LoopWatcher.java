package io.ringkernel.cuda.loop;

import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that sees to one loop: launches its kernel when it is needed, looks whether
 * it has ended, carries what is to be carried. It sleeps while there is nothing to do,
 * until a producer rings.
 * <p>
 * <strong>No wakeup is lost.</strong> A producer publishes a request and then looks
 * whether this thread {@linkplain #listening listens}; this thread says that it listens
 * and then takes its turn once more, in which it looks at the ring, before it sleeps.
 * With a full fence between the two steps on both sides, at least one of them sees the
 * other: either the producer finds that this thread listens and wakes it, or this thread
 * finds the request. That an ended kernel has missed a request makes no difference: it is
 * seen to have ended in a turn before the last one, and the last one looks at the ring
 * behind it. ({@code LaunchModelTests} goes through all interleavings.)
 * <p>
 * While the kernel runs over mapped memory this thread does not listen: a producer then
 * pays for a fence and one read of a line that nobody writes.
 */
final class LoopWatcher implements Runnable {

	/** Turns without any sleep after something has happened. */
	private static final int SPINS = 32;

	private static final long MIN_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

	/** A request that came as the kernel ended may wait for so long. */
	private static final long MAX_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

	/** What a turn of the loop has come to. */
	enum Turn {

		/** Something has happened: more may follow at once. */
		BUSY,

		/** The kernel runs, and finds by itself what is published. */
		RUNNING,

		/** The same, and it ends very soon. */
		ENDING,

		/** The kernel runs, and what is published must be carried to it. */
		CARRYING,

		/** The kernel is out, or waits: nothing is to be done until a producer rings. */
		OUT

	}

	private final RelaunchingLoop loop;

	private final long spinNanos;

	private final Thread thread;

	/** Whether a producer is to wake this thread; cleared by the one that does. */
	private final AtomicBoolean listening = new AtomicBoolean();

	private volatile boolean closed;

	LoopWatcher(String name, RelaunchingLoop loop, long spinNanos) {
		this.loop = loop;
		this.spinNanos = spinNanos;
		this.thread = new Thread(this, name);
		this.thread.setDaemon(true);
	}

	void start() {
		this.thread.start();
	}

	void bell() {
		VarHandle.fullFence();
		if (this.listening.get()) {
			wake();
		}
	}

	/** Has a turn taken for what was stored, volatile, before this call. */
	void wake() {
		if (this.listening.compareAndSet(true, false)) {
			LockSupport.unpark(this.thread);
		}
	}

	/** Ends the thread after the turn that it is in. */
	void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	@Override
	public void run() {
		int quiet = 0;
		long busyAt = System.nanoTime();
		Turn turn = Turn.BUSY;
		while (!this.closed) {
			// It means nothing to this thread, which would never sleep.
			Thread.interrupted();
			long left = (turn == Turn.OUT) ? busyAt + this.spinNanos - System.nanoTime() : 0;
			turn = this.loop.turn(Math.max(0, left));
			quiet = (turn == Turn.BUSY) ? 0 : quiet + 1;
			if (quiet == 0) {
				busyAt = System.nanoTime();
			}
			else if (turn != Turn.RUNNING && (quiet <= SPINS || System.nanoTime() - busyAt < this.spinNanos)) {
				Thread.onSpinWait();
			}
			else if (turn == Turn.RUNNING || turn == Turn.ENDING) {
				LockSupport.parkNanos(this, park(quiet));
			}
			else if (listen(quiet)) {
				quiet = 0;
				busyAt = System.nanoTime();
			}
		}
	}

	private static long park(int quiet) {
		return Math.min(MIN_PARK_NANOS << Math.min(quiet >>> 2, 10), MAX_PARK_NANOS);
	}

	/**
	 * Sleeps until a producer rings or, if a kernel runs, for a while. Returns whether
	 * there was something to do, or may be now.
	 */
	private boolean listen(int quiet) {
		this.listening.set(true);
		VarHandle.fullFence();
		Turn last = this.loop.turn(0);
		if (last == Turn.BUSY || this.closed) {
			this.listening.set(false);
			return true;
		}
		if (last == Turn.OUT) {
			this.loop.beforeSleep();
			while (this.listening.get() && !this.closed) {
				LockSupport.park(this);
				Thread.interrupted();
			}
			return true;
		}
		LockSupport.parkNanos(this, park(quiet));
		return !this.listening.compareAndSet(true, false);
	}

}
