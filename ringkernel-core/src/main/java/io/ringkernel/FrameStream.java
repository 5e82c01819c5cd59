package io.ringkernel;

import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.RingKernelException;

/**
 * Sends frames, each of which carries many small requests, and receives the frames of
 * their responses in the order in which they were sent. A frame takes one slot of the
 * ring whatever its size, so what a request costs is what its bytes cost.
 * <p>
 * Requests and responses are records with a single component: an array of records with
 * {@link Capacity @Capacity}. The kernel sees ordinary messages of these types.
 * <p>
 * One thread at a time may send, and one at a time receive; the two may be the same as
 * long as it does not send more frames than the ring has slots without receiving. Neither
 * allocates anything.
 *
 * @since 0.2.0
 */
public interface FrameStream extends AutoCloseable {

	/**
	 * The frame to fill with requests; for the thread that sends. Nothing is claimed in
	 * the ring while it is filled, so that may take any time.
	 * @return always the same frame. What was written into it stays there after it was
	 * sent; at first all of it is zero
	 */
	Frame request();

	/**
	 * Sends the first elements of {@link #request()}, waiting for a free slot for at most
	 * the kernel's request timeout, or not at all if the kernel rejects when full. The
	 * frame can be written again as soon as this returns.
	 * @param size how many elements; it may be 0
	 * @throws InvalidMessageException if that is negative or more than the frame's
	 * capacity
	 * @throws RingFullException if no slot became free: receive, and send again
	 * @throws RingKernelException as {@link RingKernelClient} describes; nothing was sent
	 */
	void send(int size);

	/**
	 * Receives the response to the oldest frame whose response was not received yet,
	 * waiting for it as {@link RequestStream#receive} does.
	 * @return always the same frame: a copy of the response, which is the caller's until
	 * the next call
	 * @throws HandlerFailedException if the handler failed on one of the frame's
	 * requests, and so on all of them; the next call receives the next frame
	 * @throws RequestTimeoutException if the response did not come in time: that frame is
	 * given up, and the next call receives the next frame. If nothing was sent in that
	 * time, the message says so, and no frame is given up
	 * @throws RingKernelException as {@link RingKernelClient} describes
	 */
	Frame receive();

	/** Gives up what was sent and not received. Called when neither thread is at work. */
	@Override
	void close();

}
