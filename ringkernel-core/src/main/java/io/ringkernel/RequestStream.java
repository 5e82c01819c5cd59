package io.ringkernel;

/**
 * Sends requests from one thread and receives their responses on another, in the order in
 * which they were sent: the way to the highest throughput, because it allocates nothing
 * but the responses and hands nothing from thread to thread but the ring itself.
 * <p>
 * One thread at a time may send, and one at a time receive; the two may be the same as
 * long as it does not send more than the ring holds without receiving.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.1.0
 */
public interface RequestStream<I extends Record, O extends Record> extends AutoCloseable {

	/**
	 * Sends a request, waiting for a free slot for at most the kernel's request timeout,
	 * or not at all if the kernel rejects when full.
	 * @param request the request
	 * @throws InvalidMessageException if the request does not fit its layout
	 * @throws RingFullException if no slot became free: receive, and send again
	 * @throws RingKernelException as {@link RingKernelClient} describes; nothing was sent
	 */
	void send(I request);

	/**
	 * Receives the response to the oldest request whose response was not received yet,
	 * waiting for it for at most the kernel's request timeout. If none has been sent, it
	 * waits for that as well.
	 * @return the response
	 * @throws HandlerFailedException if the handler failed on that request; the next call
	 * receives the next response
	 * @throws RequestTimeoutException if the response did not come in time: that request
	 * is given up, and the next call receives the next response
	 * @throws RingKernelException as {@link RingKernelClient} describes
	 */
	O receive();

	/**
	 * Gives up what was sent and not received. Called when neither thread is at work.
	 */
	@Override
	void close();

}
