package io.ringkernel.session;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that complete futures, and so run the stages that depend on them. A stage
 * may block: nothing but other futures waits for these threads, and if none of them makes
 * progress for a moment, another one is added.
 */
final class Completions {

	private static final Logger logger = LoggerFactory.getLogger(Completions.class);

	/** So many stages may block at once before the futures behind them have to wait. */
	private static final int MAX_THREADS = 64;

	private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final String kernelId;

	private final ThreadPoolExecutor executor;

	private long completedAtLastLook;

	private long lastProgress;

	@SuppressWarnings("ErroneousThreadPoolConstructorChecker") // tend() raises the core
																// size.
	Completions(String kernelId) {
		this.kernelId = kernelId;
		AtomicInteger number = new AtomicInteger();
		this.executor = new ThreadPoolExecutor(1, MAX_THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> new CompletionThread(task,
						"ringkernel-" + kernelId + "-completion-" + number.getAndIncrement()));
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Has a decided reply complete its future.
	 */
	void complete(FutureReply<?> reply) {
		this.executor.execute(reply);
	}

	/**
	 * Whether futures wait to be completed.
	 */
	boolean isPending() {
		return !this.executor.getQueue().isEmpty();
	}

	/**
	 * Adds a thread if those that are there have completed nothing for a moment. Called
	 * by the dispatcher from time to time while futures are pending.
	 */
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
		else if (now - this.lastProgress > PATIENCE_NANOS) {
			this.lastProgress = now;
			if (threads < MAX_THREADS) {
				this.executor.setCorePoolSize(threads + 1);
			}
			this.executor.prestartCoreThread();
			if (threads + 1 == MAX_THREADS) {
				logger.warn(
						"{} stages that depend on futures of ring kernel '{}' block at once; "
								+ "the futures behind them wait. Run blocking stages on an executor of your own.",
						MAX_THREADS, this.kernelId);
			}
		}
	}

	/**
	 * Completes what is pending, waits for that, and ends the threads. A stage that
	 * closes the kernel does not wait for itself.
	 */
	void close(Duration timeout) throws InterruptedException {
		this.executor.shutdown();
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
