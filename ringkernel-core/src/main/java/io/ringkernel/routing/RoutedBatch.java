package io.ringkernel.routing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RequestTimeoutException;

/**
 * A batch over several replicas. Each request goes to the replica that the router
 * chooses; responses are taken in the order of the requests. If the chosen ring is full,
 * the oldest response is taken before the next request is sent.
 */
final class RoutedBatch<I extends Record, O extends Record> {

	private final RingKernelClient<I, O> client;

	private final TimeLeft left;

	private final Deque<CompletableFuture<O>> pending = new ArrayDeque<>();

	private final List<O> responses = new ArrayList<>();

	RoutedBatch(RingKernelClient<I, O> client, Duration timeout) {
		this.client = client;
		this.left = new TimeLeft(timeout);
	}

	/**
	 * Sends all requests and returns their responses. The first request that fails, in
	 * the order of the requests, fails the batch, and what is not answered by then is
	 * withdrawn.
	 */
	List<O> callAll(List<? extends I> requests) {
		try {
			RuntimeException failure = null;
			try {
				requests.forEach(this::send);
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
			while (!this.pending.isEmpty()) {
				takeOldest();
			}
			if (failure != null) {
				throw failure;
			}
			return this.responses;
		}
		catch (RequestTimeoutException ex) {
			throw this.left.late(this.client.kernelId(), ex);
		}
		finally {
			this.pending.forEach((reply) -> reply.cancel(true));
		}
	}

	private void send(I request) {
		Optional<CompletableFuture<O>> reply = this.client.trySubmit(request, this.left.get());
		while (reply.isEmpty() && !this.pending.isEmpty()) {
			takeOldest();
			reply = this.client.trySubmit(request, this.left.get());
		}
		this.pending.add(reply.isPresent() ? reply.get() : this.client.submit(request, this.left.get()));
	}

	/** It stays pending until it is answered, so that it is withdrawn if it is not. */
	private void takeOldest() {
		try {
			this.responses.add(this.pending.element().get());
			this.pending.remove();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.client.kernelId());
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
	}

}
