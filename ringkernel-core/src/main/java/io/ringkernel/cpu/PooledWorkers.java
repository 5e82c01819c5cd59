package io.ringkernel.cpu;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Event-driven workers: a dispatch is a task for a pool, like the launch of a kernel on a
 * stream. The pool holds about as many threads as workers were at work lately (one that
 * is dispatched the moment it comes to rest begins on another thread), and none while the
 * kernel is idle.
 */
final class PooledWorkers implements Workers {

	private static final long KEEP_ALIVE_SECONDS = 10;

	private final Set<Thread> running = ConcurrentHashMap.newKeySet();

	private final ThreadPoolExecutor pool;

	PooledWorkers(String kernelId) {
		AtomicInteger number = new AtomicInteger();
		this.pool = new ThreadPoolExecutor(0, Integer.MAX_VALUE, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), (task) -> {
					Thread thread = new Thread(task, "ringkernel-" + kernelId + "-launch-" + number.getAndIncrement());
					thread.setDaemon(true);
					return thread;
				});
	}

	@Override
	public boolean dispatch(int worker, Runnable task) {
		try {
			this.pool.execute(() -> run(task));
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

	private void run(Runnable task) {
		Thread thread = Thread.currentThread();
		this.running.add(thread);
		try {
			task.run();
		}
		finally {
			this.running.remove(thread);
		}
	}

	@Override
	public void interrupt() {
		this.running.forEach(Thread::interrupt);
	}

	@Override
	public void close(Duration timeout) {
		this.pool.shutdown();
		try {
			// A worker that does not come to rest keeps its daemon thread; the caller has
			// said so.
			if (!this.pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				this.pool.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
