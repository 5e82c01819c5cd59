package io.ringkernel.runtime;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.ringkernel.RingKernelHandler;

/**
 * A handler that answers a request once a test allows it.
 *
 * @param <M> the message
 */
public final class GatedHandler<M extends Record> implements RingKernelHandler<M, M> {

	private final UnaryOperator<M> answer;

	/** A permit lets the handler answer one request. */
	private final Semaphore answers = new Semaphore(0);

	private final AtomicInteger begun = new AtomicInteger();

	public GatedHandler(UnaryOperator<M> answer) {
		this.answer = answer;
	}

	public void allow(int requests) {
		this.answers.release(requests);
	}

	public void allowAll() {
		allow(1_000_000);
	}

	/**
	 * How many requests a worker has begun.
	 */
	public int begun() {
		return this.begun.get();
	}

	@Override
	public M handle(M request) {
		this.begun.incrementAndGet();
		try {
			if (!this.answers.tryAcquire(30, TimeUnit.SECONDS)) {
				throw new IllegalStateException("nobody allowed an answer");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return this.answer.apply(request);
	}

}
