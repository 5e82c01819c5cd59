package io.ringkernel.test.fault;

import java.time.Duration;
import java.util.function.Supplier;

import io.ringkernel.Durations;

/**
 * What happens to one request when a worker has taken it.
 *
 * @see RingKernelFaults#script
 * @since 0.1.0
 */
public sealed interface Fault {

	/**
	 * {@return no fault: the handler answers the request}
	 */
	static Fault none() {
		return new Delay(Duration.ZERO);
	}

	/**
	 * The handler answers it, but only after a while.
	 * @param delay how long the request is held up before; a reset of the faults ends it
	 * @return the fault
	 */
	static Fault delay(Duration delay) {
		return new Delay(delay);
	}

	/**
	 * It is never answered: the caller's timeout ends the wait. Its worker and its slot
	 * stay taken until the faults are reset or the kernel is terminated, also with
	 * {@code interrupt-on-timeout}.
	 * @return the fault
	 */
	static Fault drop() {
		return new Drop();
	}

	/**
	 * The handler fails on it, and on it alone.
	 * @param cause what the handler throws, made anew for each request
	 * @return the fault
	 */
	static Fault failure(Supplier<? extends Exception> cause) {
		return new Failure(cause);
	}

	/**
	 * The request is held up.
	 *
	 * @param delay for how long
	 */
	record Delay(Duration delay) implements Fault {

		/**
		 * Creates the fault.
		 * @param delay for how long
		 */
		public Delay {
			if (delay.isNegative() || delay.compareTo(FaultSet.LONGEST) > 0) {
				throw new IllegalArgumentException("delay = %s is out of range. Set it to a duration from 0s to %s."
					.formatted(Durations.format(delay), Durations.format(FaultSet.LONGEST)));
			}
		}

	}

	/** The request is not answered. */
	record Drop() implements Fault {
	}

	/**
	 * The handler fails.
	 *
	 * @param cause makes what it throws
	 */
	record Failure(Supplier<? extends Exception> cause) implements Fault {
	}

}
