package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.KernelOptions;

/**
 * The client of a kernel: hands each request to the session that is active.
 */
final class KernelClient<I extends Record, O extends Record> implements RingKernelClient<I, O> {

	private final Kernel<I, O> kernel;

	private final long defaultTimeoutNanos;

	KernelClient(Kernel<I, O> kernel, KernelOptions options) {
		this.kernel = kernel;
		this.defaultTimeoutNanos = options.requestTimeout().toNanos();
	}

	@Override
	public String kernelId() {
		return this.kernel.id();
	}

	@Override
	public O call(I request) {
		return this.kernel.activeSession().call(request, this.defaultTimeoutNanos);
	}

	@Override
	public O call(I request, Duration timeout) {
		return this.kernel.activeSession().call(request, nanos(timeout));
	}

	@Override
	public CompletableFuture<O> submit(I request) {
		return submit(request, this.defaultTimeoutNanos);
	}

	@Override
	public CompletableFuture<O> submit(I request, Duration timeout) {
		return submit(request, nanos(timeout));
	}

	private CompletableFuture<O> submit(I request, long timeoutNanos) {
		return this.kernel.activeSession().submit(request, Deadlines.in(timeoutNanos), timeoutNanos);
	}

	@Override
	public List<O> callAll(List<? extends I> requests) {
		return callAll(requests, this.defaultTimeoutNanos);
	}

	@Override
	public List<O> callAll(List<? extends I> requests, Duration timeout) {
		return callAll(requests, nanos(timeout));
	}

	private List<O> callAll(List<? extends I> requests, long timeoutNanos) {
		long deadline = Deadlines.in(timeoutNanos);
		KernelSession<I, O> session = this.kernel.activeSession();
		if (Delivery.ofCurrentThread() != null) {
			return session.callEach(requests, deadline, timeoutNanos);
		}
		List<CompletableFuture<O>> replies = new ArrayList<>(requests.size());
		try {
			for (I request : requests) {
				// A kernel that rejects refuses the batch, but not the batch's own
				// length.
				replies.add(session.submit(request, deadline, timeoutNanos, !replies.isEmpty()));
			}
			List<O> responses = new ArrayList<>(replies.size());
			for (CompletableFuture<O> reply : replies) {
				responses.add(get(reply));
			}
			return responses;
		}
		finally {
			// After a failure, the requests that are not answered yet are withdrawn.
			replies.forEach((reply) -> reply.cancel(false));
		}
	}

	/**
	 * Each reply ends by itself: at its deadline at the latest.
	 */
	private O get(CompletableFuture<O> reply) {
		try {
			return reply.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(kernelId());
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RingKernelException failure) {
				throw failure;
			}
			throw new CompletionException(ex.getCause());
		}
	}

	@Override
	public RequestStream<I, O> openStream() {
		return this.kernel.activeSession().openStream(this.defaultTimeoutNanos);
	}

	private static long nanos(Duration timeout) {
		if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofDays(365)) > 0) {
			throw new InvalidConfigurationException("timeout", timeout, "is not positive, or more than 365 days",
					"Pass, say, Duration.ofSeconds(5).");
		}
		return timeout.toNanos();
	}

}
