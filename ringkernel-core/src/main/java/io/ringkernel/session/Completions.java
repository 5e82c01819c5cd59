package io.ringkernel.session;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that complete futures, and so run the stages that depend on them. A stage
 * may block: nothing but other futures waits for these threads, and if none of them makes
 * progress for a moment, another one is added.
 * <p>
 * One thread is there from the launch on. If the system admits no other one, that one
 * goes on alone. If it admits none at all, the thread that decides a future completes it.
 */
final class Completions {

	private static final Logger logger = LoggerFactory.getLogger(Completions.class);

	/** So many stages may block at once before the futures behind them have to wait. */
	private static final int MAX_THREADS = 64;

	private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** How long no thread is asked for after the system has refused one. */
	private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final String kernelId;

	private final ThreadPoolExecutor executor;

	private final AtomicBoolean told = new AtomicBoolean();

	private long completedAtLastLook;

	private long lastProgress;

	private volatile boolean refused;

	private volatile long refusedAt;

	Completions(String kernelId) {
		this(kernelId, numbered(kernelId));
	}

	/**
	 * Creates it without a thread. The factory throws an OutOfMemoryError if it admits
	 * none.
	 */
	@SuppressWarnings("ErroneousThreadPoolConstructorChecker") // tend() raises the core
																// size.
	Completions(String kernelId, ThreadFactory threads) {
		this.kernelId = kernelId;
		this.executor = new ThreadPoolExecutor(1, MAX_THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads);
	}

	/** Starts the first thread. The thread that decides futures is there before. */
	void start() {
		addThread(1, System.nanoTime());
	}

	private static ThreadFactory numbered(String kernelId) {
		AtomicInteger number = new AtomicInteger();
		return (task) -> new CompletionThread(task,
				"ringkernel-" + kernelId + "-completion-" + number.getAndIncrement());
	}

	void complete(Runnable reply) {
		if (this.refused && this.executor.getPoolSize() == 0 && isRefused(System.nanoTime())) {
			reply.run();
			return;
		}
		try {
			this.executor.execute(reply);
		}
		catch (OutOfMemoryError ex) {
			refuse(ex, System.nanoTime());
			if (this.executor.getPoolSize() == 0) {
				reply.run();
			}
			else {
				this.executor.execute(reply);
			}
		}
	}

	boolean isPending() {
		return !this.executor.getQueue().isEmpty();
	}

	/** Adds a thread if those that are there have completed nothing for a moment. */
	void tend(long now) {
		long completed = this.executor.getCompletedTaskCount();
		int threads = this.executor.getCorePoolSize();
		if (!isPending() || completed != this.completedAtLastLook) {
			this.completedAtLastLook = completed;
			this.lastProgress = now;
			if (threads > 1 && !isPending()) {
				this.executor.setCorePoolSize(1);
			}
		}
		else if (now - this.lastProgress > PATIENCE_NANOS && !isRefused(now)) {
			this.lastProgress = now;
			if (addThread(Math.min(threads + 1, MAX_THREADS), now) && threads + 1 == MAX_THREADS) {
				logger.warn(
						"{} stages that depend on futures of ring kernel '{}' block at once; "
								+ "the futures behind them wait. Run blocking stages on an executor of your own.",
						MAX_THREADS, this.kernelId);
			}
		}
	}

	private boolean addThread(int threads, long now) {
		try {
			this.executor.setCorePoolSize(threads);
			this.executor.prestartCoreThread();
			this.refused = false;
			return true;
		}
		catch (OutOfMemoryError ex) {
			refuse(ex, now);
			return false;
		}
	}

	/**
	 * Goes on with the threads that are there. An executor that has fewer threads than
	 * its core size asks for one before it queues anything.
	 */
	private void refuse(OutOfMemoryError cause, long now) {
		this.refusedAt = now;
		this.refused = true;
		this.executor.setCorePoolSize(Math.max(1, this.executor.getPoolSize()));
		if (this.told.compareAndSet(false, true)) {
			logger.warn("The system admits no other thread that completes futures of ring kernel '{}' ({}); it has {}. "
					+ "Stages that block delay others. Raise the limit of threads (ulimit -u, pids.max) or the memory.",
					this.kernelId, cause.getMessage(), this.executor.getPoolSize());
		}
		if (this.executor.getPoolSize() == 0) {
			completeHere();
		}
	}

	private boolean isRefused(long now) {
		return this.refused && now - this.refusedAt < REFUSED_NANOS;
	}

	private void completeHere() {
		for (Runnable reply = this.executor.getQueue().poll(); reply != null; reply = this.executor.getQueue().poll()) {
			reply.run();
		}
	}

	/**
	 * Completes what is pending, waits for that, and ends the threads. If there is none,
	 * the calling thread completes it. Nothing adds threads from then on, so each future
	 * that is pending gets its own now: the stages before it may wait for it. A stage
	 * that closes the kernel does not wait for itself.
	 */
	void close(Duration timeout) throws InterruptedException {
		if (this.executor.getPoolSize() == 0) {
			completeHere();
		}
		this.executor.shutdown();
		int pending = this.executor.getQueue().size();
		if (pending > 0) {
			addThread(Math.min(this.executor.getPoolSize() + pending, MAX_THREADS), System.nanoTime());
		}
		if (!(Thread.currentThread() instanceof CompletionThread)) {
			this.executor.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private static final class CompletionThread extends Thread {

		CompletionThread(Runnable task, String name) {
			super(null, task, name, 0, false);
			setDaemon(true);
		}

	}

}
