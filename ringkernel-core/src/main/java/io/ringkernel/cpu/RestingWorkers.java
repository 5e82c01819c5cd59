package io.ringkernel.cpu;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Persistent workers: each has a thread from its first dispatch on, which parks while the
 * worker rests.
 */
final class RestingWorkers implements Workers {

	private final String kernelId;

	private final Map<Integer, WorkerThread> threads = new HashMap<>();

	private boolean closed;

	RestingWorkers(String kernelId) {
		this.kernelId = kernelId;
	}

	/**
	 * Excludes {@link #close}: a thread that is given a task before it is closed runs it
	 * before it ends.
	 */
	@Override
	public synchronized boolean dispatch(int worker, Runnable task) {
		if (this.closed) {
			return false;
		}
		this.threads.computeIfAbsent(worker, this::startThread).dispatch(task);
		return true;
	}

	private WorkerThread startThread(int worker) {
		WorkerThread thread = new WorkerThread("ringkernel-" + this.kernelId + "-worker-" + worker);
		thread.start();
		return thread;
	}

	@Override
	public synchronized void interrupt() {
		this.threads.values().forEach(Thread::interrupt);
	}

	@Override
	public void close(Duration timeout) {
		List<WorkerThread> closing;
		synchronized (this) {
			this.closed = true;
			closing = new ArrayList<>(this.threads.values());
			closing.forEach(WorkerThread::close);
		}
		long deadline = System.nanoTime() + timeout.toNanos();
		boolean interrupted = false;
		for (WorkerThread thread : closing) {
			try {
				TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static final class WorkerThread extends Thread {

		private final AtomicReference<@Nullable Runnable> task = new AtomicReference<>();

		private volatile boolean closed;

		WorkerThread(String name) {
			super(name);
			setDaemon(true);
		}

		void dispatch(Runnable task) {
			this.task.set(task);
			LockSupport.unpark(this);
		}

		void close() {
			this.closed = true;
			LockSupport.unpark(this);
		}

		@Override
		public void run() {
			while (true) {
				Runnable next = this.task.getAndSet(null);
				if (next != null) {
					// An interrupt left over from a stop by force was meant for a handler
					// that has ended.
					Thread.interrupted();
					next.run();
				}
				else if (this.closed) {
					return;
				}
				else {
					LockSupport.park(this);
					Thread.interrupted();
				}
			}
		}

	}

}
