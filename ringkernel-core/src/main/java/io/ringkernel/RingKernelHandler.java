package io.ringkernel;

import io.ringkernel.exception.HandlerFailedException;

/**
 * Answers one request in Java. If its kernel has no image, RingKernel compiles the
 * handler for a device. If the kernel has one, the device runs the image, and tests
 * compare it with the handler. Without a device, Java threads run the handler.
 * <p>
 * With more than one worker, {@link #handle} is called by several threads at once; a
 * handler with state guards it by {@link Parallel#exclusive Parallel.exclusive} or by
 * atomic operations, or runs with a single worker. The result of a call whose response
 * was received <em>happens-before</em> the handling of any request sent afterwards,
 * whichever worker takes it.
 * <p>
 * A ring carries the components of a record. The receiving side, the handler for a
 * request and the caller for a response, makes the record anew by its canonical
 * constructor. That constructor is therefore applied to components that it has seen
 * before, and must leave them as they are.
 *
 * @param <I> the request, a record that can be laid out
 * @param <O> the response, a record that can be laid out
 * @since 0.1.0
 */
@FunctionalInterface
public interface RingKernelHandler<I extends Record, O extends Record> {

	/**
	 * Computes the response to one request.
	 * @param request the request, decoded from the ring
	 * @return the response; never {@code null}
	 * @throws Exception if this request cannot be answered: it alone fails, with a
	 * {@link HandlerFailedException}. On the CPU, that has this exception as its cause;
	 * on a device, its message names the exception
	 */
	O handle(I request) throws Exception;

	/**
	 * Makes a pipeline: a handler that hands the response of this one to the next one.
	 * Both run where the request is handled, on a device in the same worker, so a request
	 * takes one trip to the device and back. The records in between travel in no ring:
	 * nothing limits their arrays but what the handlers themselves state.
	 * <p>
	 * A request that fails in a stage fails as it does without the pipeline: the
	 * exception names the class of the stage. The state of a device is that of one
	 * kernel: a handler that is a kernel of its own as well has other state there.
	 * @param <R> the response of the pipeline
	 * @param next what handles the response of this handler
	 * @return the pipeline
	 */
	default <R extends Record> RingKernelHandler<I, R> andThen(RingKernelHandler<O, R> next) {
		return new Pipeline<>(this, next);
	}

}
