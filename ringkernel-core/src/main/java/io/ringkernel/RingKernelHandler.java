package io.ringkernel;

/**
 * Answers one request in Java. It is what a ring kernel does where there is no GPU, and
 * the oracle that its CUDA image is compared with.
 * <p>
 * With more than one worker, {@link #handle} is called by several threads at once; a
 * handler with state either synchronizes or runs with a single worker. The result of a
 * call whose response was received <em>happens-before</em> the handling of any request
 * sent afterwards, whichever worker takes it.
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
	 * {@link HandlerFailedException} that has this exception as its cause
	 */
	O handle(I request) throws Exception;

}
