package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.ringkernel.platform.HostEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listeners of a runtime what happens to its kernels, on one thread that exists
 * only while there is something to tell.
 */
final class KernelEvents {

	private static final Logger logger = LoggerFactory.getLogger(KernelEvents.class);

	/** Far more than all kernels of an application cause at once. */
	private static final int MAX_WAITING = 4096;

	private final List<KernelListener> listeners = new CopyOnWriteArrayList<>();

	private final ThreadPoolExecutor executor;

	private volatile @Nullable Thread thread;

	private final AtomicLong published = new AtomicLong();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition progress = this.lock.newCondition();

	/** How many of the published events are over. */
	private long done;

	KernelEvents() {
		this.executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING),
				this::newThread);
		this.executor.allowCoreThreadTimeOut(true);
	}

	private Thread newThread(Runnable task) {
		Thread created = new Thread(task, "ringkernel-events");
		created.setDaemon(true);
		this.thread = created;
		return created;
	}

	void add(KernelListener listener) {
		this.listeners.add(listener);
	}

	void remove(KernelListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Has the listeners told, and returns at once. Called in the order of events.
	 */
	void publish(KernelEvent event) {
		publish(event, (listener) -> listener.onEvent(event));
	}

	/**
	 * The same for what happens to a kernel host.
	 */
	void publish(HostEvent event) {
		publish(event, (listener) -> listener.onHostEvent(event));
	}

	private void publish(Object event, Consumer<KernelListener> telling) {
		if (this.listeners.isEmpty()) {
			return;
		}
		this.published.incrementAndGet();
		try {
			this.executor.execute(() -> tell(event, telling));
		}
		catch (RejectedExecutionException ex) {
			advance();
			logger.error("Listeners are not told of {}: {} events wait for them already, or the runtime is closed",
					event, this.executor.getQueue().size());
		}
	}

	private void tell(Object event, Consumer<KernelListener> telling) {
		for (KernelListener listener : this.listeners) {
			try {
				telling.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				logger.error("Listener {} failed on {}", listener, event, ex);
			}
		}
		advance();
	}

	private void advance() {
		this.lock.lock();
		try {
			this.done++;
			this.progress.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until the listeners have been told of all that has happened. Returns at once
	 * on the thread that tells them, which would wait for itself.
	 * @return whether that came to pass in time
	 */
	boolean await(Duration timeout) throws InterruptedException {
		if (Thread.currentThread().equals(this.thread)) {
			return true;
		}
		long all = this.published.get();
		long remaining = timeout.toNanos();
		this.lock.lockInterruptibly();
		try {
			while (this.done < all && remaining > 0) {
				remaining = this.progress.awaitNanos(remaining);
			}
			return this.done >= all;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes no more events; those that wait are still told.
	 */
	void close() {
		this.executor.shutdown();
	}

}
