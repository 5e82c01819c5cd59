package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RequestInterruptedException;

/**
 * Held by one lifecycle operation of a kernel at a time, which may consist of others. The
 * wait for another one is bounded, as that one is.
 */
final class LifecycleLock {

	private final String kernelId;

	private final Duration longest;

	private final ReentrantLock lock = new ReentrantLock();

	LifecycleLock(String kernelId, KernelOptions options) {
		this.kernelId = kernelId;
		this.longest = options.stopTimeout().multipliedBy(4).plus(options.drainTimeout());
	}

	/** Runs an operation alone. The command is what it does, as a verb. */
	void hold(String command, Operation operation) {
		try {
			if (!this.lock.tryLock(this.longest.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new KernelStuckException(this.kernelId, "end another lifecycle operation and " + command,
						this.longest);
			}
			try {
				operation.run();
			}
			finally {
				this.lock.unlock();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.kernelId);
		}
	}

	/**
	 * Terminates a kernel, which is bounded in time. An interrupt does not keep it from
	 * that, and is told again afterwards.
	 */
	static void terminate(Kernel<?, ?> kernel) {
		boolean interrupted = Thread.interrupted();
		boolean ended = false;
		try {
			while (!ended) {
				try {
					kernel.terminate();
					ended = true;
				}
				catch (RequestInterruptedException ex) {
					interrupted = Thread.interrupted();
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@FunctionalInterface
	interface Operation {

		void run() throws InterruptedException;

	}

}
