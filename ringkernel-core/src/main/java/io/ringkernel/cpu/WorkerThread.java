package io.ringkernel.cpu;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * The thread of a worker: started when the worker is first needed, parked while it rests,
 * ended once it has rested for a while or is closed.
 * <p>
 * <strong>No wakeup is lost.</strong> Who wakes the thread has made the task due before,
 * and reads {@link #thread} and {@link #starting} behind a full fence. The thread, when
 * it begins and when it gives its place up, writes these two and looks behind a full
 * fence whether the task is due: one of the two sees the other. Between, a permit to
 * unpark is kept.
 * <p>
 * <strong>A waker may fail.</strong> It runs on the thread of a caller, which may have
 * neither stack nor heap left. Waking a thread that is there writes nothing but its
 * permit, and starting one makes sure of the stack first.
 */
final class WorkerThread implements Runnable {

	private static final int FRAMES_TO_START = 128;

	private final String name;

	private final ThreadFactory factory;

	private final long keepAliveNanos;

	private final Task task;

	/**
	 * Set before the thread is started, cleared by the thread, or if it does not start.
	 */
	private final AtomicBoolean starting = new AtomicBoolean();

	private volatile @Nullable Thread thread;

	/** The last one started. It may be about to end when {@link #thread} is not there. */
	private volatile @Nullable Thread started;

	private volatile boolean closed;

	WorkerThread(String name, ThreadFactory factory, long keepAliveNanos, Task task) {
		this.name = name;
		this.factory = factory;
		this.keepAliveNanos = keepAliveNanos;
		this.task = task;
	}

	boolean isThere() {
		return this.thread != null || this.starting.get();
	}

	/**
	 * Has the thread look whether its task is due.
	 * @throws OutOfMemoryError if there is no thread and none can be started; a later
	 * call tries again
	 */
	void wake() {
		Thread there = this.thread;
		if (there != null) {
			LockSupport.unpark(there);
		}
		else if (!this.closed) {
			requireStack(FRAMES_TO_START);
			start();
		}
	}

	private static int requireStack(int frames) {
		return (frames > 0) ? requireStack(frames - 1) + 1 : 0;
	}

	/**
	 * Takes the place of the thread, if there is none. The thread that has it stores
	 * itself before it clears {@link #starting}, so one of the two looks finds it.
	 */
	private boolean tryTakePlace() {
		if (!this.starting.compareAndSet(false, true)) {
			return false;
		}
		if (this.thread == null) {
			return true;
		}
		this.starting.set(false);
		return false;
	}

	private void start() {
		if (tryTakePlace()) {
			boolean started = false;
			try {
				Thread created = this.factory.newThread(this);
				created.setName(this.name);
				created.start();
				this.started = created;
				started = true;
			}
			finally {
				if (!started) {
					this.starting.set(false);
				}
			}
		}
		else {
			// The thread that was faster may have looked before the task was due.
			LockSupport.unpark(this.thread);
		}
	}

	@Override
	public void run() {
		do {
			this.thread = Thread.currentThread();
			this.starting.set(false);
			VarHandle.fullFence();
			runWhileKeptAlive();
			this.thread = null;
			VarHandle.fullFence();
		}
		while (this.task.isDue() && tryTakePlace());
	}

	private void runWhileKeptAlive() {
		boolean kept = true;
		while (kept) {
			if (this.task.isDue()) {
				this.task.run();
			}
			else {
				kept = !this.closed && park();
			}
			// An interrupt was meant for a handler, which has ended.
			Thread.interrupted();
		}
	}

	/** Rests. Returns {@code false} once it has rested for the keep-alive time. */
	private boolean park() {
		long begin = System.nanoTime();
		LockSupport.parkNanos(this, this.keepAliveNanos);
		return System.nanoTime() - begin < this.keepAliveNanos;
	}

	void interrupt() {
		Thread there = this.thread;
		if (there != null) {
			there.interrupt();
		}
	}

	/** Has the thread end, once its task has nothing to do. */
	void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	/**
	 * Waits until a deadline for a closed thread to end, on an interrupted thread as
	 * well: what is closed has nothing left to do.
	 */
	void awaitEnd(long deadline) {
		Thread there = this.started;
		boolean interrupted = false;
		while (there != null && there.isAlive() && deadline - System.nanoTime() > 0) {
			try {
				TimeUnit.NANOSECONDS.timedJoin(there, Math.max(1, deadline - System.nanoTime()));
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	interface Task extends Runnable {

		boolean isDue();

	}

}
