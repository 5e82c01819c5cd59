package io.ringkernel.cpu;

import java.util.function.Consumer;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;

/**
 * A worker: takes requests until it has found none for its idle budget, and then rests.
 * <p>
 * What it needs for that is made beforehand. It allocates nothing of its own, so it goes
 * on where the heap is exhausted.
 */
final class Worker implements WorkerThread.Task {

	private final int number;

	private final RequestProcessor<?, ?> processor;

	private final ControlBlock control;

	private final WorkerGate gate;

	private final IdleBudget idle;

	private final Consumer<Throwable> onBroken;

	private volatile boolean called;

	private volatile boolean up;

	Worker(int number, RequestProcessor<?, ?> processor, ControlBlock control, WorkerGate gate, KernelOptions options,
			Consumer<Throwable> onBroken) {
		this.number = number;
		this.processor = processor;
		this.control = control;
		this.gate = gate;
		this.idle = new IdleBudget(options.idleBudget());
		this.onBroken = onBroken;
	}

	/** Has it come up once even if there is nothing to do. */
	void call() {
		this.called = true;
	}

	boolean isCalled() {
		return this.called;
	}

	boolean isUp() {
		return this.up;
	}

	@Override
	public boolean isDue() {
		return this.called || (this.control.command() == Command.RUN && this.processor.hasWork());
	}

	@Override
	public void run() {
		boolean entered = this.gate.enter();
		this.called = false;
		if (entered) {
			this.up = true;
			try {
				this.control.launched();
				this.control.workerState(this.number, WorkerState.POLLING);
				runUntilIdle();
				this.control.workerState(this.number, WorkerState.OUT);
			}
			catch (Throwable ex) {
				// Nothing of a request's gets here, so this is a defect of the loop's
				// own.
				this.onBroken.accept(ex);
			}
			finally {
				this.up = false;
				this.gate.leave();
			}
		}
	}

	private void runUntilIdle() {
		this.idle.reset();
		// A load of a line that rarely changes costs nothing.
		while (this.control.command() == Command.RUN) {
			this.control.beat(this.number);
			if (this.processor.processNext(this.number)) {
				this.idle.reset();
			}
			else if (!this.idle.pause()) {
				return;
			}
		}
	}

}
