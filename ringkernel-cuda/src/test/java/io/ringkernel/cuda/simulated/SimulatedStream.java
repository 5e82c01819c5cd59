package io.ringkernel.cuda.simulated;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

import io.ringkernel.cuda.driver.CudaStream;

/**
 * Does one thing after another, kernels on threads.
 */
final class SimulatedStream implements CudaStream {

	private static final Executor THREADS = Executors.newCachedThreadPool((kernel) -> {
		Thread thread = new Thread(kernel, "simulated-kernel");
		thread.setDaemon(true);
		return thread;
	});

	private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

	synchronized void launch(Runnable kernel) {
		this.last = this.last.thenRunAsync(kernel, THREADS);
	}

	/**
	 * Makes a copy: now, or once what is in front of it has ended.
	 */
	synchronized void copy(Runnable copy) {
		this.last = this.last.thenRun(copy);
	}

	/**
	 * Waits until everything has ended.
	 */
	void await() {
		CompletableFuture<Void> all;
		synchronized (this) {
			all = this.last;
		}
		all.join();
	}

	/**
	 * Whether everything has ended.
	 * @throws java.util.concurrent.CompletionException if something has failed that must
	 * not
	 */
	synchronized boolean isDone() {
		if (this.last.isDone()) {
			this.last.join();
			return true;
		}
		return false;
	}

}
