package io.ringkernel;

import java.util.function.Consumer;

import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.RingKernelException;

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
	 * Sends requests one after another, as {@link #send} sends each of them. Small
	 * records of {@code int}, {@code long}, {@code float} and {@code double} components
	 * are published several at a time, which costs less than to send them singly.
	 * <p>
	 * If a request cannot be sent, those before it have been sent, and neither it nor
	 * those behind it: {@link #sent()} tells where to go on.
	 * @param requests an array that holds the requests; it is not kept
	 * @param from the index of the first request
	 * @param to the index behind the last request
	 * @throws InvalidMessageException if a request does not fit its layout
	 * @throws RingFullException if no slot became free for a request
	 * @throws IndexOutOfBoundsException if the range is none of the array
	 * @throws RingKernelException as {@link RingKernelClient} describes
	 * @since 0.2.0
	 */
	void sendAll(I[] requests, int from, int to);

	/**
	 * {@return how many requests have been sent on this stream; for the thread that
	 * sends}
	 * @since 0.2.0
	 */
	long sent();

	/**
	 * Receives the response to the oldest request whose response was not received yet,
	 * waiting for it for at most the kernel's request timeout. If none has been sent, it
	 * waits for that as well.
	 * @return the response
	 * @throws HandlerFailedException if the handler failed on that request; the next call
	 * receives the next response
	 * @throws RequestTimeoutException if the response did not come in time: that request
	 * is given up, and the next call receives the next response. If nothing was sent in
	 * that time, the message says so, and no request is given up
	 * @throws RingKernelException as {@link RingKernelClient} describes
	 */
	O receive();

	/**
	 * Receives the next response, waiting for it as {@link #receive} does, and those
	 * behind it that have arrived, in the order of their requests. Responses are taken
	 * several at a time, which costs less than to receive them singly.
	 * <p>
	 * If the handler failed on a request, or the consumer throws, the responses before
	 * have been handed out, that one counts as received, and the next call goes on behind
	 * it.
	 * @param consumer what is handed the responses, on the calling thread. The slots of
	 * up to 16 responses are given back behind the last of them, so the consumer must not
	 * use this stream
	 * @param limit the most responses to take; positive
	 * @return how many were taken, from 1 to the limit
	 * @throws HandlerFailedException if the handler failed on a request
	 * @throws RequestTimeoutException if no response came in time: that request is given
	 * up. If nothing was sent in that time, the message says so, and none is given up
	 * @throws IllegalArgumentException if the limit is not positive
	 * @throws RingKernelException as {@link RingKernelClient} describes
	 * @since 0.2.0
	 */
	int drain(Consumer<? super O> consumer, int limit);

	/** Gives up what was sent and not received. Called when neither thread is at work. */
	@Override
	void close();

}
