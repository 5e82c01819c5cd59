package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RequestPriority;
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

	private final Admission admission;

	private final OneWayFailures oneWayFailures;

	KernelClient(Kernel<I, O> kernel, KernelOptions options) {
		this(kernel, options.requestTimeout().toNanos(), Admission.NORMAL,
				new OneWayFailures(kernel.id(), System::nanoTime));
	}

	private KernelClient(Kernel<I, O> kernel, long defaultTimeoutNanos, Admission admission,
			OneWayFailures oneWayFailures) {
		this.kernel = kernel;
		this.defaultTimeoutNanos = defaultTimeoutNanos;
		this.admission = admission;
		this.oneWayFailures = oneWayFailures;
	}

	@Override
	public String kernelId() {
		return this.kernel.id();
	}

	@Override
	public O call(I request) {
		return this.kernel.activeSession().call(request, Deadlines.UNSET, this.defaultTimeoutNanos, this.admission);
	}

	@Override
	public O call(I request, Duration timeout) {
		return this.kernel.activeSession().call(request, Deadlines.UNSET, nanos(timeout), this.admission);
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
		return this.kernel.activeSession().submit(request, Deadlines.in(timeoutNanos), timeoutNanos, this.admission);
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request) {
		return trySubmit(request, this.defaultTimeoutNanos);
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout) {
		return trySubmit(request, nanos(timeout));
	}

	private Optional<CompletableFuture<O>> trySubmit(I request, long timeoutNanos) {
		return this.kernel.activeSession().trySubmit(request, Deadlines.in(timeoutNanos), timeoutNanos, this.admission);
	}

	@Override
	public void send(I request) {
		send(request, this.defaultTimeoutNanos);
	}

	@Override
	public void send(I request, Duration timeout) {
		send(request, nanos(timeout));
	}

	@SuppressWarnings("FutureReturnValueIgnored")
	private void send(I request, long timeoutNanos) {
		submit(request, timeoutNanos).whenComplete(this.oneWayFailures);
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
			return session.callEach(requests, deadline, timeoutNanos, this.admission);
		}
		List<CompletableFuture<O>> replies = new ArrayList<>(requests.size());
		try {
			for (I request : requests) {
				// A kernel that rejects refuses the batch, but not the batch's own
				// length.
				replies.add(session.submit(request, deadline, timeoutNanos,
						replies.isEmpty() ? this.admission : this.admission.patiently()));
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
		return this.kernel.activeSession().openStream(this.defaultTimeoutNanos, this.admission);
	}

	@Override
	public RingKernelClient<I, O> withPriority(RequestPriority priority) {
		return new KernelClient<>(this.kernel, this.defaultTimeoutNanos, Admission.of(priority), this.oneWayFailures);
	}

	private static long nanos(Duration timeout) {
		if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofDays(365)) > 0) {
			throw new InvalidConfigurationException("timeout", timeout, "is not positive, or more than 365 days",
					"Pass, say, Duration.ofSeconds(5).");
		}
		return timeout.toNanos();
	}

}
