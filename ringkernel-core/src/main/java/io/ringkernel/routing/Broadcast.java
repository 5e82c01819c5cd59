package io.ringkernel.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.BroadcastException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * One request to every replica. A replica that does not answer keeps no other one from
 * it.
 */
final class Broadcast<I extends Record, O extends Record> {

	/** How long to rest before replicas that were full are tried again. */
	private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	private final String kernelId;

	private final Duration timeout;

	/** Whether a replica without a free slot is waited for. */
	private final boolean waits;

	private final TimeLeft left;

	private final Map<String, CompletableFuture<O>> pending = new LinkedHashMap<>();

	private final Map<String, RingKernelException> failures = new LinkedHashMap<>();

	Broadcast(String kernelId, Duration timeout, boolean waits) {
		this.kernelId = kernelId;
		this.timeout = timeout;
		this.waits = waits;
		this.left = new TimeLeft(timeout);
	}

	/** Sends to all, first to those that have a free slot, then waits for all. */
	List<O> call(List<RingKernelClient<I, O>> replicas, I request) {
		try {
			List<RingKernelClient<I, O>> busy = trySend(replicas, request);
			// The last one is waited for in the line of those that wait for its slots.
			while (this.waits && busy.size() > 1 && !this.left.isOver()) {
				rest();
				busy = trySend(busy, request);
			}
			busy.forEach((replica) -> send(replica, request));
			List<O> responses = new ArrayList<>(replicas.size());
			replicas.forEach((replica) -> take(replica.kernelId(), responses));
			if (!this.failures.isEmpty()) {
				throw new BroadcastException(this.kernelId, replicas.size(), inOrder(replicas));
			}
			return responses;
		}
		finally {
			this.pending.values().forEach((reply) -> reply.cancel(true));
		}
	}

	private void rest() {
		LockSupport.parkNanos(this, REST_NANOS);
		if (Thread.currentThread().isInterrupted()) {
			throw new RequestInterruptedException(this.kernelId);
		}
	}

	private List<RingKernelClient<I, O>> trySend(List<RingKernelClient<I, O>> replicas, I request) {
		return replicas.stream().filter((replica) -> !trySend(replica, request)).toList();
	}

	/**
	 * Sends without waiting for a slot. A request that is invalid is so for all replicas,
	 * and the first one throws.
	 * @return whether there is no need to wait for one
	 */
	private boolean trySend(RingKernelClient<I, O> replica, I request) {
		try {
			Optional<CompletableFuture<O>> reply = replica.trySubmit(request, this.left.get());
			reply.ifPresent((sent) -> this.pending.put(replica.kernelId(), sent));
			return reply.isPresent();
		}
		catch (KernelNotActiveException ex) {
			this.failures.put(replica.kernelId(), ex);
			return true;
		}
	}

	private void send(RingKernelClient<I, O> replica, I request) {
		try {
			this.pending.put(replica.kernelId(), replica.submit(request, this.left.get()));
		}
		catch (KernelNotActiveException ex) {
			this.failures.put(replica.kernelId(), ex);
		}
		catch (RingFullException ex) {
			this.failures.put(replica.kernelId(), this.waits ? full(replica.kernelId(), ex) : ex);
		}
	}

	/** It tells of the time that was left for one request. */
	private RingFullException full(String replica, RingFullException why) {
		RingFullException full = new RingFullException(replica, why.ringSize(), why.inFlight(), this.timeout);
		full.addSuppressed(why);
		return full;
	}

	private void take(String replica, List<O> responses) {
		CompletableFuture<O> reply = this.pending.get(replica);
		if (reply == null) {
			return;
		}
		try {
			responses.add(reply.get());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.kernelId);
		}
		catch (ExecutionException ex) {
			this.failures.put(replica, failure(replica, ex.getCause()));
		}
	}

	private RingKernelException failure(String replica, @Nullable Throwable cause) {
		if (cause instanceof RequestTimeoutException) {
			return this.left.late(replica, cause);
		}
		if (cause instanceof RingKernelException failure) {
			return failure;
		}
		throw new IllegalStateException(cause);
	}

	private Map<String, RingKernelException> inOrder(List<RingKernelClient<I, O>> replicas) {
		Map<String, RingKernelException> ordered = new LinkedHashMap<>();
		replicas.stream()
			.map(RingKernelClient::kernelId)
			.filter(this.failures::containsKey)
			.forEach((replica) -> ordered.put(replica, this.failures.get(replica)));
		return ordered;
	}

}
