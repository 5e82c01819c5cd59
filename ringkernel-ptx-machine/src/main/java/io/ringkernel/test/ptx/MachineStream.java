package io.ringkernel.test.ptx;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

import io.ringkernel.cuda.driver.CudaStream;

/**
 * Does one thing after another: kernels on threads of their own, copies on that of
 * whatever is in front of them.
 */
final class MachineStream implements CudaStream {

	private static final Executor KERNELS = Executors.newCachedThreadPool((kernel) -> {
		Thread thread = new Thread(kernel, "ptx-machine-kernel");
		thread.setDaemon(true);
		return thread;
	});

	private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

	synchronized void launch(Runnable kernel) {
		this.last = this.last.thenRunAsync(kernel, KERNELS);
	}

	synchronized void copy(Runnable copy) {
		this.last = this.last.thenRun(copy);
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
