package io.ringkernel.cpu;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device loop in Java threads.
 * <p>
 * One worker is enough for handlers that are fast, so one is what a request wakes. Others
 * come up when a caller has waited too long (the nudge) while a request lies there that
 * no worker has begun. A worker that has found nothing for its idle budget comes to rest.
 * <p>
 * <strong>No wakeup is lost.</strong> The host publishes a request, then looks whether a
 * worker is active; a worker that comes to rest leaves the gate, then looks at the ring
 * once more. With a full fence between the two steps on both sides, at least one of them
 * sees the other: either the host finds that no worker is active and wakes one, or the
 * worker finds the request and goes on. If workers are active but all in slow handlers,
 * the caller that waits nudges.
 */
final class CpuDeviceLoop implements DeviceLoop {

	private static final Logger logger = LoggerFactory.getLogger(CpuDeviceLoop.class);

	private final String kernelId;

	private final RequestProcessor<?, ?> processor;

	private final ControlBlock control;

	private final KernelOptions options;

	private final Worker[] workers;

	private final WorkerThread[] threads;

	private final WorkerGate active = new WorkerGate();

	private volatile long nudgedAt = -1;

	/** Whether the last thread that was needed could not be started. */
	private volatile boolean lacksThread;

	private volatile @Nullable Throwable failure;

	/**
	 * Creates the loop.
	 * @param iterationLimit how many requests a worker handles before it counts as
	 * launched anew
	 * @param factory what makes the threads of the workers
	 * @param keepAliveNanos for how long the thread of a worker that rests is kept
	 */
	CpuDeviceLoop(String kernelId, RequestProcessor<?, ?> processor, ControlBlock control, KernelOptions options,
			long iterationLimit, ThreadFactory factory, long keepAliveNanos) {
		this.kernelId = kernelId;
		this.processor = processor;
		this.control = control;
		this.options = options;
		this.workers = new Worker[options.workers()];
		this.threads = new WorkerThread[options.workers()];
		for (int i = 0; i < this.workers.length; i++) {
			this.workers[i] = new Worker(i, processor, control, this.active, options, iterationLimit, this::breakDown);
			this.threads[i] = new WorkerThread("ringkernel-" + kernelId + "-worker-" + i, factory, keepAliveNanos,
					this.workers[i]);
		}
	}

	@Override
	public boolean rings() {
		return true;
	}

	@Override
	public void start() {
		this.control.command(Command.RUN);
		this.active.open();
		int worker = firstAtRest(true);
		worker = (worker >= 0) ? worker : firstAtRest(false);
		if (worker >= 0) {
			try {
				this.workers[worker].call();
				this.threads[worker].wake();
			}
			catch (OutOfMemoryError ex) {
				halt();
				throw new KernelLaunchException(this.kernelId, "no thread can be started for its first worker.",
						"Raise the limit of threads of the process, or lower the number of its threads.", ex);
			}
		}
	}

	@Override
	public void doorbell() {
		VarHandle.fullFence();
		if (this.active.isIdle()) {
			wakeOne();
		}
	}

	/**
	 * Brings up another worker if the same request has been lying there since the nudge
	 * before: the workers that run are busy with others.
	 */
	@Override
	public void nudge() {
		long turn = this.processor.turn();
		if (turn != this.nudgedAt) {
			this.nudgedAt = turn;
		}
		else if (this.active.count() < this.workers.length && this.control.command() == Command.RUN
				&& this.processor.hasWork()) {
			wakeOne();
		}
	}

	/**
	 * Wakes a worker that rests, and starts a thread if none of those that rest has one.
	 */
	private void wakeOne() {
		int worker = firstAtRest(true);
		if (worker >= 0) {
			this.threads[worker].wake();
			return;
		}
		worker = firstAtRest(false);
		if (worker >= 0) {
			startThread(worker);
		}
	}

	private int firstAtRest(boolean withThread) {
		for (int worker = 0; worker < this.workers.length; worker++) {
			if (!this.workers[worker].isUp() && this.threads[worker].isThere() == withThread) {
				return worker;
			}
		}
		return -1;
	}

	/**
	 * Starts the thread of a worker. If there is none to be had, the workers that run go
	 * on, and the next nudge or doorbell tries again.
	 */
	private void startThread(int worker) {
		try {
			this.threads[worker].wake();
			this.lacksThread = false;
		}
		catch (OutOfMemoryError ex) {
			if (!this.lacksThread) {
				this.lacksThread = true;
				tellOfMissingThread(worker, ex);
			}
		}
	}

	private void tellOfMissingThread(int worker, OutOfMemoryError cause) {
		try {
			logger.warn("Ring kernel '{}' has no thread for its worker {}; it tries again when a request waits",
					this.kernelId, worker, cause);
		}
		catch (VirtualMachineError ex) {
			// The caller has published its request and must not fail for a message that
			// there is no memory for.
			cause.addSuppressed(ex);
		}
	}

	private void breakDown(Throwable cause) {
		this.failure = cause;
		halt();
	}

	private void halt() {
		this.active.close();
		this.control.command(Command.STOP);
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		halt();
		return this.active.awaitEmpty(timeout.toNanos());
	}

	@Override
	public void abandon(long position) {
		if (this.options.interruptOnTimeout()) {
			VarHandle.fullFence();
			this.processor.interrupt(position);
		}
	}

	@Override
	public void interrupt() {
		for (WorkerThread thread : this.threads) {
			thread.interrupt();
		}
	}

	@Override
	public @Nullable Throwable failure() {
		return this.failure;
	}

	@Override
	public int activeWorkers() {
		int count = this.active.count();
		return (count == 0 && this.active.isIdle() && isStarting()) ? 1 : count;
	}

	/**
	 * Whether a worker was called that has not come up yet: it counts as running, so that
	 * a loop that was just started is not taken for one that has come to rest.
	 */
	private boolean isStarting() {
		for (Worker worker : this.workers) {
			if (worker.isCalled()) {
				return true;
			}
		}
		return false;
	}

	@Override
	public void close() {
		halt();
		boolean stopped = this.active.count() == 0;
		for (WorkerThread thread : this.threads) {
			thread.close();
		}
		if (stopped) {
			long deadline = System.nanoTime() + this.options.stopTimeout().toNanos();
			for (WorkerThread thread : this.threads) {
				thread.awaitEnd(deadline);
			}
		}
	}

}
