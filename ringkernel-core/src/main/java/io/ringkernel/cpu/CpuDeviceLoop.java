package io.ringkernel.cpu;

import java.lang.invoke.VarHandle;
import java.time.Duration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.RequestClock;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import org.jspecify.annotations.Nullable;

/**
 * The device loop in Java threads.
 * <p>
 * One worker is enough for handlers that are fast, so one is what a request wakes. Others
 * come up when somebody has waited too long (the nudge) while a request lies there that
 * nobody has begun. A worker that has found nothing for its idle budget comes to rest.
 * <p>
 * <strong>No wakeup is lost.</strong> The host publishes a request, then reads
 * {@link #active}; a worker that comes to rest decrements {@code active}, then looks at
 * the ring once more. With a full fence between the two steps on both sides, at least one
 * of them sees the other: either the host finds that no worker is active and dispatches
 * one, or the worker finds the request and goes on. If workers are active but all in slow
 * handlers, the one who waits nudges.
 */
final class CpuDeviceLoop implements DeviceLoop {

	private static final int RESTING = 0;

	private static final int RUNNING = 1;

	private final RequestProcessor<?, ?> processor;

	private final ControlBlock control;

	private final KernelOptions options;

	private final Workers workers;

	private final long iterationLimit;

	/** Whether each worker runs or rests; a worker is dispatched by whoever moves it. */
	private final AtomicIntegerArray states;

	private final WorkerGate active = new WorkerGate();

	private volatile long nudgedAt = -1;

	private volatile @Nullable Throwable failure;

	CpuDeviceLoop(RequestProcessor<?, ?> processor, ControlBlock control, KernelOptions options, Workers workers,
			boolean eventDriven) {
		this.processor = processor;
		this.control = control;
		this.options = options;
		this.workers = workers;
		this.iterationLimit = eventDriven ? options.iterationLimit() : Long.MAX_VALUE;
		this.states = new AtomicIntegerArray(options.workers());
	}

	@Override
	public void time(RequestClock clock) {
		this.processor.time(clock);
	}

	@Override
	public void start() {
		this.control.command(Command.RUN);
		this.active.open();
		dispatch();
	}

	@Override
	public void doorbell() {
		VarHandle.fullFence();
		if (this.active.isIdle()) {
			dispatch();
		}
	}

	/**
	 * Brings up another worker if the same request has been lying there since the nudge
	 * before: the workers that run are busy with others.
	 */
	@Override
	public void nudge() {
		long cursor = this.processor.cursor();
		if (cursor != this.nudgedAt) {
			this.nudgedAt = cursor;
		}
		else if (this.active.count() < this.states.length() && this.processor.hasWork()) {
			dispatch();
		}
	}

	private void dispatch() {
		while (this.control.command() == Command.RUN && this.active.enter()) {
			int worker = begin();
			if (worker >= 0) {
				run(worker);
				return;
			}
			// While this thread was counted, a host may have taken it for a worker.
			this.active.leave();
			if (!this.active.isIdle() || !this.processor.hasWork()) {
				return;
			}
		}
	}

	/**
	 * Takes a worker that rests; called by who is counted for it.
	 * @return the worker, or -1 if all of them run
	 */
	private int begin() {
		for (int worker = 0; worker < this.states.length(); worker++) {
			if (begin(worker)) {
				return worker;
			}
		}
		return -1;
	}

	/**
	 * Runs a worker that was counted as active, on a thread.
	 */
	private void run(int worker) {
		boolean runs = false;
		try {
			runs = this.workers.dispatch(worker, () -> work(worker));
		}
		catch (OutOfMemoryError ex) {
			// No thread is to be had. Those that run go on; without any, the loop is
			// broken.
			if (this.active.count() == 1) {
				breakDown(ex);
			}
		}
		finally {
			if (!runs) {
				end(worker);
			}
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

	private boolean begin(int worker) {
		if (this.states.get(worker) == RESTING && this.states.compareAndSet(worker, RESTING, RUNNING)) {
			this.control.launched();
			return true;
		}
		return false;
	}

	private void work(int worker) {
		try {
			do {
				// An interrupt left over from a stop was meant for a handler that has
				// ended.
				Thread.interrupted();
				this.control.workerState(worker, WorkerState.POLLING);
				runUntilIdle(worker);
				this.control.workerState(worker, WorkerState.OUT);
			}
			while (!rest(worker));
		}
		catch (Throwable ex) {
			// Nothing of a request's gets here, so this is a defect of the loop's own.
			breakDown(ex);
			end(worker);
		}
	}

	private void runUntilIdle(int worker) {
		Iteration iteration = new Iteration(this.options.processing(), this.options.maxPerIteration());
		IdleBudget idle = new IdleBudget(this.options.idleBudget());
		long handled = 0;
		while (this.control.command() == Command.RUN && handled < this.iterationLimit) {
			this.control.beat(worker);
			int taken = 0;
			int limit = iteration.limit();
			while (taken < limit && this.processor.processNext(worker)) {
				taken++;
				// The handler may be slow; and a load of a line that rarely changes costs
				// nothing.
				if (this.control.command() != Command.RUN) {
					return;
				}
			}
			iteration.took(taken);
			handled += taken;
			if (taken > 0) {
				idle.reset();
			}
			else if (!idle.pause()) {
				return;
			}
		}
	}

	/**
	 * Comes to rest, unless there is work after all.
	 * @return whether the worker rests; otherwise it goes on
	 */
	private boolean rest(int worker) {
		end(worker);
		VarHandle.fullFence();
		if (this.control.command() != Command.RUN || !this.processor.hasWork() || !this.active.enter()) {
			return true;
		}
		if (begin(worker)) {
			return false;
		}
		// Somebody else has taken this worker, and runs it.
		this.active.leave();
		return true;
	}

	private void end(int worker) {
		this.states.set(worker, RESTING);
		this.active.leave();
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		halt();
		return this.active.awaitEmpty(timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void interrupt() {
		this.workers.interrupt();
	}

	@Override
	public @Nullable Throwable takeFailure(int slot) {
		return this.processor.takeFailure(slot);
	}

	@Override
	public @Nullable Throwable failure() {
		return this.failure;
	}

	@Override
	public int activeWorkers() {
		return this.active.count();
	}

	@Override
	public void close() {
		halt();
		this.workers.close((this.active.count() == 0) ? this.options.stopTimeout() : Duration.ZERO);
	}

}
