package io.ringkernel.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.FrameStream;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;

/** A client without a kernel: returns the request of a call, and does nothing else. */
record ReturningClient<T extends Record>(String kernelId) implements RingKernelClient<T, T> {

	@Override
	public Duration requestTimeout() {
		throw new UnsupportedOperationException();
	}

	@Override
	public T call(T request) {
		return request;
	}

	@Override
	public T call(T request, Duration timeout) {
		return request;
	}

	@Override
	public CompletableFuture<T> submit(T request, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<CompletableFuture<T>> trySubmit(T request, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void send(T request, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<T> callAll(List<? extends T> requests, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<T> broadcast(T request, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public RequestStream<T, T> openStream() {
		throw new UnsupportedOperationException();
	}

	@Override
	public FrameStream openFrames() {
		throw new UnsupportedOperationException();
	}

	@Override
	public InPlaceCalls openInPlace() {
		throw new UnsupportedOperationException();
	}

	@Override
	public RingKernelClient<T, T> withPriority(RequestPriority priority) {
		return this;
	}

}
