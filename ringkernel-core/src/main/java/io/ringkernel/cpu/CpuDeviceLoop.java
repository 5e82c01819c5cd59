package io.ringkernel.cpu;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.state.HandlerState;
import io.ringkernel.state.KernelMemory;
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

	/** For how long a request lies before another worker is brought up for it. */
	private static final long LYING_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	private final String kernelId;

	private final RequestProcessor<?, ?> processor;

	private final ControlBlock control;

	private final KernelOptions options;

	private final Worker[] workers;

	private final WorkerThread[] threads;

	private final WorkerGate active = new WorkerGate();

	/** The turn that a nudge has found. */
	private volatile long nudgedAt = -1;

	/** When it was found first. */
	private volatile long unchangedSince;

	/** Whether the last thread that was needed could not be started. */
	private volatile boolean lacksThread;

	private volatile @Nullable Throwable failure;

	CpuDeviceLoop(String kernelId, RequestProcessor<?, ?> processor, ControlBlock control, KernelOptions options,
			ThreadFactory factory, long keepAliveNanos) {
		this.kernelId = kernelId;
		this.processor = processor;
		this.control = control;
		this.options = options;
		this.workers = new Worker[options.workers()];
		this.threads = new WorkerThread[options.workers()];
		for (int i = 0; i < this.workers.length; i++) {
			this.workers[i] = new Worker(i, processor, control, this.active, options, this::breakDown);
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
		int worker = firstAtRest(0, true);
		worker = (worker >= 0) ? worker : firstAtRest(0, false);
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
			wake(1);
		}
	}

	/**
	 * Brings up a worker for each request that no worker has begun, if the first of them
	 * has been lying there for a while and every worker that runs is in its handler. A
	 * worker that looks for requests, and has no core to do so, would only lose more of
	 * its core to another.
	 */
	@Override
	public void nudge() {
		long turn = this.processor.turn();
		long now = System.nanoTime();
		if (turn != this.nudgedAt) {
			this.unchangedSince = now;
			this.nudgedAt = turn;
		}
		else if (now - this.unchangedSince >= LYING_NANOS && this.active.count() < this.workers.length
				&& this.control.command() == Command.RUN && !isAnyPolling()) {
			wake(this.processor.countWaiting(this.workers.length - this.active.count()));
		}
	}

	private boolean isAnyPolling() {
		for (int worker = 0; worker < this.workers.length; worker++) {
			if (this.workers[worker].isUp() && this.control.workerState(worker) == WorkerState.POLLING) {
				return true;
			}
		}
		return false;
	}

	/** Wakes workers that rest: first those that have a thread. */
	private void wake(int count) {
		int left = count;
		for (int worker = firstAtRest(0, true); worker >= 0 && left > 0; worker = firstAtRest(worker + 1, true)) {
			this.threads[worker].wake();
			left--;
		}
		for (int worker = firstAtRest(0, false); worker >= 0 && left > 0; worker = firstAtRest(worker + 1, false)) {
			startThread(worker);
			left--;
		}
	}

	private int firstAtRest(int from, boolean withThread) {
		for (int worker = from; worker < this.workers.length; worker++) {
			if (!this.workers[worker].isUp() && this.threads[worker].isThere() == withThread) {
				return worker;
			}
		}
		return -1;
	}

	/** If there is no thread to be had, the next nudge or doorbell tries again. */
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
	public boolean isInterruptible() {
		return true;
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
	public KernelMemory memory(KernelSpec<?, ?> kernel) {
		HandlerState state = new HandlerState(kernel.id(), kernel.handler());
		if (kernel.replica().isPresent() && !state.fields().isEmpty()) {
			throw new SnapshotException(kernel.id(), "the replicas share the handler, and the others are not at rest",
					"Save and restore the kernel as a whole.", null);
		}
		return state;
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
