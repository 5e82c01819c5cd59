package io.ringkernel;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.exception.BroadcastException;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.exception.UnsupportedMessageTypeException;

/**
 * Sends requests to one ring kernel and receives its responses. Safe for use by any
 * number of threads, platform or virtual.
 * <p>
 * No method waits without bound: the time for a free slot and for the response together
 * is limited by the timeout, and every way to fail has an exception of its own:
 * <ul>
 * <li>{@link InvalidMessageException}: the request does not fit its layout; nothing was
 * sent;</li>
 * <li>{@link KernelNotActiveException}: the kernel takes no requests in its present
 * state; nothing was sent;</li>
 * <li>{@link RingFullException}: no slot became free in time, or at once where the kernel
 * rejects when full; nothing was sent;</li>
 * <li>{@link RequestTimeoutException}: sent, but not answered in time;</li>
 * <li>{@link HandlerFailedException}: the handler failed on this request;</li>
 * <li>{@link KernelTerminatedException}: the kernel ended before it answered; the request
 * may have been handled;</li>
 * <li>{@link RequestLostException}: the device was lost while a worker may have been
 * handling the request;</li>
 * <li>{@link RequestInterruptedException}: the calling thread was interrupted while it
 * waited; the request may have been sent;</li>
 * <li>{@link CorruptMessageException}: what came back is not a valid response.</li>
 * </ul>
 * All of them are {@link RingKernelException}s.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.1.0
 */
public interface RingKernelClient<I extends Record, O extends Record> {

	/**
	 * {@return the id of the kernel that this client talks to}
	 */
	String kernelId();

	/**
	 * {@return how long a request may take if the caller does not say}
	 * @since 0.2.0
	 */
	Duration requestTimeout();

	/**
	 * Sends a request and waits for the response, for at most the kernel's request
	 * timeout. The caller spins for a bounded time and then parks; an interrupt ends the
	 * wait.
	 * @param request the request
	 * @return the response
	 * @throws RingKernelException as the type describes
	 */
	default O call(I request) {
		return call(request, requestTimeout());
	}

	/**
	 * Sends a request and waits for the response, for at most the given time.
	 * @param request the request
	 * @param timeout how long to wait for a slot and the response together; positive
	 * @return the response
	 * @throws RingKernelException as the type describes
	 */
	O call(I request, Duration timeout);

	/**
	 * Sends a request and returns at once; the future completes with the response, or
	 * exceptionally as the type describes, at the latest after the request timeout.
	 * <p>
	 * Only the wait for a free slot can block, as configured by the kernel's
	 * backpressure. Dependent stages run on threads of the kernel; use the {@code Async}
	 * variants for stages that block for long. Cancelling the future withdraws the
	 * request if no worker has begun it, and frees its slot as soon as the worker has
	 * answered it.
	 * @param request the request
	 * @return the future response
	 * @throws RingKernelException if the request could not be sent
	 */
	default CompletableFuture<O> submit(I request) {
		return submit(request, requestTimeout());
	}

	/**
	 * Sends a request and returns at once, as {@link #submit(Record)}, with its own
	 * timeout.
	 * @param request the request
	 * @param timeout how long to wait for a slot and the response together; positive
	 * @return the future response
	 * @throws RingKernelException if the request could not be sent
	 */
	CompletableFuture<O> submit(I request, Duration timeout);

	/**
	 * Sends a request as {@link #submit(Record)}, but never waits for a slot, whatever
	 * the kernel's backpressure: for threads that must not block.
	 * @param request the request
	 * @return the future response; nothing if no slot is free, and nothing was sent then
	 * @throws RingKernelException if the request could not be sent for another reason
	 */
	default Optional<CompletableFuture<O>> trySubmit(I request) {
		return trySubmit(request, requestTimeout());
	}

	/**
	 * Sends a request as {@link #trySubmit(Record)}, with its own timeout.
	 * @param request the request
	 * @param timeout how long to wait for the response; positive
	 * @return the future response; nothing if no slot is free, and nothing was sent then
	 * @throws RingKernelException if the request could not be sent for another reason
	 */
	Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout);

	/**
	 * Sends a request one way: its response is discarded. When this method returns, the
	 * request is in the ring. Should it fail later, within the request timeout, that is
	 * counted with the kernel's failures and timeouts, and logged as a warning, at most
	 * once a second.
	 * @param request the request
	 * @throws RingKernelException if the request could not be sent
	 */
	default void send(I request) {
		send(request, requestTimeout());
	}

	/**
	 * Sends a request one way, as {@link #send(Record)}, with its own timeout.
	 * @param request the request
	 * @param timeout how long to wait for a slot and the response together; positive
	 * @throws RingKernelException if the request could not be sent
	 */
	void send(I request, Duration timeout);

	/**
	 * Sends all requests, pipelined, and waits for all responses, for at most the
	 * kernel's request timeout. The list may be longer than the ring.
	 * @param requests the requests
	 * @return the responses, in the order of the requests
	 * @throws RingKernelException the failure of the first request, in that order, that
	 * failed; the others have been answered or withdrawn by then
	 */
	default List<O> callAll(List<? extends I> requests) {
		return callAll(requests, requestTimeout());
	}

	/**
	 * Sends all requests, as {@link #callAll(List)}, with a timeout for the whole batch.
	 * @param requests the requests
	 * @param timeout how long to wait for all responses together; positive
	 * @return the responses, in the order of the requests
	 * @throws RingKernelException the failure of the first request, in that order, that
	 * failed; the others have been answered or withdrawn by then
	 */
	List<O> callAll(List<? extends I> requests, Duration timeout);

	/**
	 * Sends a request to every replica of the kernel and waits for all responses, for at
	 * most the kernel's request timeout: to load the same table into each of them, or to
	 * ask all. A replica that fails, or takes no requests, keeps no other one from
	 * answering.
	 * @param request the request
	 * @return a response of each replica, in the order of their numbers; one response if
	 * the kernel has no replicas
	 * @throws BroadcastException if a replica has not answered; it names the replicas and
	 * their failures. The failure of a kernel without replicas is thrown as by
	 * {@link #call(Record)}.
	 * @throws InvalidMessageException if the request does not fit its layout; nothing was
	 * sent
	 * @since 0.2.0
	 */
	default List<O> broadcast(I request) {
		return broadcast(request, requestTimeout());
	}

	/**
	 * Sends a request to every replica, as {@link #broadcast(Record)}, with its own
	 * timeout.
	 * @param request the request
	 * @param timeout how long to wait for all responses together; positive
	 * @return a response of each replica, in the order of their numbers
	 * @throws BroadcastException if a replica has not answered
	 * @since 0.2.0
	 */
	List<O> broadcast(I request, Duration timeout);

	/**
	 * Opens a stream on the kernel's present launch: requests from one thread, responses
	 * to another, in order, at the highest throughput.
	 * @return the stream; it ends with the launch
	 * @throws KernelNotActiveException if the kernel takes no requests
	 */
	RequestStream<I, O> openStream();

	/**
	 * Opens a stream of frames on the kernel's present launch: many small requests behind
	 * one header, and no object for any of them.
	 * @return the stream; it ends with the launch
	 * @throws UnsupportedMessageTypeException if the kernel's request or response is not
	 * a record with a single component that is an array of records with
	 * {@link Capacity @Capacity}
	 * @throws KernelNotActiveException if the kernel takes no requests
	 * @since 0.2.0
	 */
	FrameStream openFrames();

	/**
	 * Opens calls on the kernel's present launch whose messages are written and read in
	 * the memory of the ring: for large arrays of which the host writes or reads a part.
	 * @return the calls, for one thread at a time; they end with the launch
	 * @throws KernelNotActiveException if the kernel takes no requests
	 * @since 0.2.0
	 */
	InPlaceCalls openInPlace();

	/**
	 * {@return a client of the same kernel whose requests have some priority}
	 * @param priority the priority, as its type describes
	 */
	RingKernelClient<I, O> withPriority(RequestPriority priority);

}
