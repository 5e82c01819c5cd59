package io.ringkernel.session;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.ringkernel.FrameStream;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.InvalidConfigurationException;

/**
 * The client of a kernel: hands each request to the session that is active.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.2.0
 */
public final class KernelClient<I extends Record, O extends Record> implements RingKernelClient<I, O> {

	private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

	private final String kernelId;

	private final Supplier<KernelSession<I, O>> active;

	private final Duration requestTimeout;

	private final long requestTimeoutNanos;

	private final Admission admission;

	private final OneWayFailures oneWayFailures;

	/**
	 * Creates the client of a kernel.
	 * @param kernelId its id
	 * @param active the session that takes requests now; throws if there is none
	 * @param options how the kernel is run
	 */
	public KernelClient(String kernelId, Supplier<KernelSession<I, O>> active, KernelOptions options) {
		this(kernelId, active, options.requestTimeout(), Admission.NORMAL,
				new OneWayFailures(kernelId, System::nanoTime));
	}

	private KernelClient(String kernelId, Supplier<KernelSession<I, O>> active, Duration requestTimeout,
			Admission admission, OneWayFailures oneWayFailures) {
		this.kernelId = kernelId;
		this.active = active;
		this.requestTimeout = requestTimeout;
		this.requestTimeoutNanos = requestTimeout.toNanos();
		this.admission = admission;
		this.oneWayFailures = oneWayFailures;
	}

	@Override
	public String kernelId() {
		return this.kernelId;
	}

	@Override
	public Duration requestTimeout() {
		return this.requestTimeout;
	}

	@Override
	public O call(I request) {
		return this.active.get().call(request, this.requestTimeoutNanos, this.admission);
	}

	@Override
	public O call(I request, Duration timeout) {
		return this.active.get().call(request, nanos(timeout), this.admission);
	}

	@Override
	public CompletableFuture<O> submit(I request, Duration timeout) {
		return this.active.get().submit(request, nanos(timeout), this.admission);
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout) {
		return this.active.get().trySubmit(request, nanos(timeout), this.admission);
	}

	@Override
	public void send(I request, Duration timeout) {
		this.active.get().sendOneWay(request, nanos(timeout), this.admission, this.oneWayFailures);
	}

	@Override
	public List<O> callAll(List<? extends I> requests, Duration timeout) {
		return this.active.get().callAll(requests, nanos(timeout), this.admission);
	}

	/** There is but one replica to answer. */
	@Override
	public List<O> broadcast(I request, Duration timeout) {
		return List.of(call(request, timeout));
	}

	@Override
	public RequestStream<I, O> openStream() {
		return new SessionStream<>(this.active.get(), this.requestTimeoutNanos, this.admission);
	}

	@Override
	public FrameStream openFrames() {
		return new SessionFrames(this.active.get(), this.requestTimeoutNanos, this.admission);
	}

	@Override
	public InPlaceCalls openInPlace() {
		return new SessionInPlace(this.active.get(), this.requestTimeoutNanos, this.admission);
	}

	@Override
	public RingKernelClient<I, O> withPriority(RequestPriority priority) {
		return new KernelClient<>(this.kernelId, this.active, this.requestTimeout, Admission.of(priority),
				this.oneWayFailures);
	}

	private static long nanos(Duration timeout) {
		if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
			throw new InvalidConfigurationException("timeout", timeout, "is not positive, or more than 365 days",
					"Pass, say, Duration.ofSeconds(5).");
		}
		return timeout.toNanos();
	}

}
