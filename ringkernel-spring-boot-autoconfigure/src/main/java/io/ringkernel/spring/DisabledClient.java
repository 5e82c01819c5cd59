package io.ringkernel.spring;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.FrameStream;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;

/** The client of a kernel while ring kernels are disabled: every call fails. */
final class DisabledClient<I extends Record, O extends Record> implements RingKernelClient<I, O> {

	private final String kernelId;

	DisabledClient(String kernelId) {
		this.kernelId = kernelId;
	}

	@Override
	public String kernelId() {
		return this.kernelId;
	}

	@Override
	public Duration requestTimeout() {
		throw disabled();
	}

	@Override
	public O call(I request, Duration timeout) {
		throw disabled();
	}

	@Override
	public CompletableFuture<O> submit(I request, Duration timeout) {
		throw disabled();
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout) {
		throw disabled();
	}

	@Override
	public void send(I request, Duration timeout) {
		throw disabled();
	}

	@Override
	public List<O> callAll(List<? extends I> requests, Duration timeout) {
		throw disabled();
	}

	@Override
	public List<O> broadcast(I request, Duration timeout) {
		throw disabled();
	}

	@Override
	public RequestStream<I, O> openStream() {
		throw disabled();
	}

	@Override
	public FrameStream openFrames() {
		throw disabled();
	}

	@Override
	public InPlaceCalls openInPlace() {
		throw disabled();
	}

	@Override
	public RingKernelClient<I, O> withPriority(RequestPriority priority) {
		return this;
	}

	private RingKernelsDisabledException disabled() {
		return new RingKernelsDisabledException(this.kernelId);
	}

}
