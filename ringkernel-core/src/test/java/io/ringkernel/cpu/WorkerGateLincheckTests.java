package io.ringkernel.cpu;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck on {@link WorkerGate}.
 */
@Tag("every-platform")
@Tag("lincheck")
class WorkerGateLincheckTests {

	private static final int THREADS = 3;

	@Test
	void everyInterleavingIsOneAfterTheOther() {
		new ModelCheckingOptions().threads(THREADS)
			.actorsBefore(2)
			.actorsPerThread(3)
			.actorsAfter(2)
			.iterations(8)
			.invocationsPerIteration(300)
			.check(Gate.class);
	}

	/**
	 * Workers that come and go, and a thread that stops them.
	 */
	public static class Gate {

		private final WorkerGate gate = new WorkerGate();

		private final boolean[] inside = new boolean[THREADS + 2];

		@Operation
		public boolean enter(@Param(gen = ThreadIdGen.class) int thread) {
			if (!this.inside[thread]) {
				this.inside[thread] = this.gate.enter();
			}
			return this.inside[thread];
		}

		@Operation
		public void leave(@Param(gen = ThreadIdGen.class) int thread) {
			if (this.inside[thread]) {
				this.inside[thread] = false;
				this.gate.leave();
			}
		}

		@Operation
		public void open() {
			this.gate.open();
		}

		@Operation
		public void close() {
			this.gate.close();
		}

		@Operation
		public boolean isIdle() {
			return this.gate.isIdle();
		}

		@Operation
		public int count() {
			return this.gate.count();
		}

		@Operation(nonParallelGroup = "waiter")
		public boolean awaitEmpty() throws InterruptedException {
			return this.gate.awaitEmpty(0);
		}

	}

}
