package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

	/** The event that was published last. Those before it are told before it. */
	private volatile Future<?> latest = CompletableFuture.completedFuture(null);

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

	/** Has the listeners told, and returns at once. Called in the order of events. */
	void publish(KernelEvent event) {
		publish(event, (listener) -> listener.onEvent(event));
	}

	/** The same for what happens to a kernel host. */
	void publish(HostEvent event) {
		publish(event, (listener) -> listener.onHostEvent(event));
	}

	private synchronized void publish(Object event, Consumer<KernelListener> telling) {
		if (this.listeners.isEmpty()) {
			return;
		}
		try {
			this.latest = this.executor.submit(() -> tell(event, telling));
		}
		catch (RejectedExecutionException ex) {
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
	}

	/** Returns at once on the thread that tells listeners: it would wait for itself. */
	boolean await(Duration timeout) throws InterruptedException {
		if (Thread.currentThread().equals(this.thread)) {
			return true;
		}
		try {
			this.latest.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

	/** Takes no more events; those that wait are still told. */
	void close() {
		this.executor.shutdown();
	}

}
