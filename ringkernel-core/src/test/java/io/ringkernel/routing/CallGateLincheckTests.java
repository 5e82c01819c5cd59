package io.ringkernel.routing;

import java.time.Duration;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck on {@link CallGate}: while it is closed and empty, nobody is inside.
 */
@Tag("every-platform")
@Tag("lincheck")
class CallGateLincheckTests {

	@Test
	void noInterleavingHasACallInsideWhileTheGateIsClosedAndEmpty() {
		new ModelCheckingOptions().threads(3)
			.actorsBefore(0)
			.actorsPerThread(2)
			.actorsAfter(0)
			.iterations(8)
			.invocationsPerIteration(300)
			.check(Gate.class);
	}

	/**
	 * Calls, and a resize.
	 */
	public static class Gate {

		private final CallGate gate = new CallGate();

		private volatile boolean resizes;

		@Operation
		public void call() throws InterruptedException {
			int line = this.gate.enter(Duration.ZERO);
			if (line == CallGate.CLOSED) {
				return;
			}
			if (this.resizes) {
				throw new IllegalStateException("A call is inside during a resize");
			}
			this.gate.leave(line);
		}

		@Operation(nonParallelGroup = "resizes")
		public void resize() throws InterruptedException {
			if (this.gate.close(System.nanoTime())) {
				this.resizes = true;
				this.resizes = false;
			}
			this.gate.open();
		}

		@Validate
		public void nobodyIsLeftInside() throws InterruptedException {
			if (!this.gate.close(System.nanoTime())) {
				throw new IllegalStateException("Somebody is counted who has left");
			}
			this.gate.open();
		}

	}

}
