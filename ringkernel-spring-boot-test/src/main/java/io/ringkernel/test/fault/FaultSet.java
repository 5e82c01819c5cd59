package io.ringkernel.test.fault;

import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/** The faults of a kernel or replica until a reset, which ends the waits they impose. */
final class FaultSet {

	/** A test that forgets its faults must not keep threads for ever. */
	static final Duration LONGEST = Duration.ofMinutes(10);

	private final CountDownLatch over = new CountDownLatch(1);

	/** Replicas share the scripts of their kernel. */
	private final Queue<Queue<Fault>> scripts = new ConcurrentLinkedQueue<>();

	private volatile Fault otherwise;

	private volatile @Nullable InjectedFaultException lost;

	private volatile boolean stuck;

	FaultSet(Fault otherwise) {
		this.otherwise = otherwise;
	}

	void always(Fault fault) {
		this.otherwise = fault;
	}

	void then(Queue<Fault> script) {
		this.scripts.add(script);
	}

	private Fault next() {
		return this.scripts.stream()
			.map(Queue::poll)
			.filter(Objects::nonNull)
			.findFirst()
			.orElseGet(() -> this.otherwise);
	}

	void lose(InjectedFaultException cause) {
		this.lost = cause;
	}

	/** Why the device is lost; {@code null} if it is not. */
	@Nullable InjectedFaultException lost() {
		return this.lost;
	}

	void stick() {
		this.stuck = true;
	}

	/** Whether the loop obeys no command at the moment. */
	boolean isStuck() {
		return this.stuck && this.over.getCount() > 0;
	}

	/** Ends all waits: those held go on. */
	void end() {
		this.over.countDown();
	}

	/** Waits for the end, and returns whether it has come. */
	boolean awaitEnd(Duration longest) throws InterruptedException {
		return this.over.await(longest.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Has a worker handle a request.
	 * @param forced whether the worker is to end, whatever holds it
	 */
	<O> O handle(Callable<O> handler, BooleanSupplier forced) throws Exception {
		Fault fault = next();
		if (fault instanceof Fault.Delay held) {
			awaitEnd(held.delay());
		}
		else if (fault instanceof Fault.Failure failure) {
			throw failure.cause().get();
		}
		else {
			awaitEnd(forced);
			throw new InjectedFaultException("The request was dropped, as a test asked.");
		}
		O response = handler.call();
		beforeAnswer();
		return response;
	}

	/** Waits for the end through the interrupt that the caller's timeout brings. */
	private void awaitEnd(BooleanSupplier forced) throws InterruptedException {
		long deadline = System.nanoTime() + LONGEST.toNanos();
		boolean isOver = false;
		while (!isOver) {
			try {
				awaitEnd(Duration.ofNanos(deadline - System.nanoTime()));
				isOver = true;
			}
			catch (InterruptedException ex) {
				if (forced.getAsBoolean()) {
					throw ex;
				}
			}
		}
	}

	/** Keeps an answer back: of a lost device for good, of a stuck one meanwhile. */
	private void beforeAnswer() throws InterruptedException {
		if (isStuck()) {
			// As a handler that cares for no interrupt.
			awaitEnd(() -> false);
		}
		InjectedFaultException cause = this.lost;
		if (cause != null) {
			awaitEnd(LONGEST);
			throw cause;
		}
	}

}
