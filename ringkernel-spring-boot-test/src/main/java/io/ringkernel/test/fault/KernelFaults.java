package io.ringkernel.test.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** The faults of one kernel or replica, over all its launches. */
final class KernelFaults {

	private volatile FaultSet current = new FaultSet(Fault.none());

	private final List<Future<?>> fillers = new ArrayList<>();

	/** The faults as they are now. A thread that waits keeps those that it was given. */
	FaultSet current() {
		return this.current;
	}

	<O> O handle(Callable<O> handler, BooleanSupplier forced) throws Exception {
		return this.current.handle(handler, forced);
	}

	synchronized void filledWith(Future<?> filler) {
		this.fillers.add(filler);
	}

	/**
	 * Ends the faults: what they held goes on, and meets another one.
	 * @param fault what happens to requests from now on
	 */
	synchronized void replaceBy(Fault fault) {
		FaultSet ended = this.current;
		this.current = new FaultSet(fault);
		this.fillers.forEach((filler) -> filler.cancel(true));
		this.fillers.clear();
		ended.end();
	}

}
