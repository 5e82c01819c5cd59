package io.ringkernel.spring.observation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.ringkernel.FrameStream;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;

/**
 * A client whose calls are observed. Streams are not: they are there for throughput, and
 * an observation takes longer than a message.
 */
final class ObservedRingKernelClient<I extends Record, O extends Record> implements RingKernelClient<I, O> {

	private final RingKernelClient<I, O> client;

	private final ClientObservations observations;

	ObservedRingKernelClient(RingKernelClient<I, O> client, ClientObservations observations) {
		this.client = client;
		this.observations = observations;
	}

	@Override
	public String kernelId() {
		return this.client.kernelId();
	}

	@Override
	public Duration requestTimeout() {
		return this.client.requestTimeout();
	}

	@Override
	public O call(I request, Duration timeout) {
		return observe("call", () -> this.client.call(request, timeout));
	}

	@Override
	public List<O> callAll(List<? extends I> requests, Duration timeout) {
		return observe("call-all", () -> this.client.callAll(requests, timeout));
	}

	@Override
	public List<O> broadcast(I request, Duration timeout) {
		return observe("broadcast", () -> this.client.broadcast(request, timeout));
	}

	@Override
	public void send(I request, Duration timeout) {
		observe("send", () -> this.client.send(request, timeout));
	}

	private void observe(String operation, Runnable send) {
		if (this.observations.areNoop()) {
			send.run();
		}
		else {
			this.observations.of(operation).observe(send);
		}
	}

	private <T> T observe(String operation, Supplier<T> call) {
		return this.observations.areNoop() ? call.get() : this.observations.of(operation).observe(call);
	}

	@Override
	public CompletableFuture<O> submit(I request, Duration timeout) {
		return observeReply(() -> this.client.submit(request, timeout));
	}

	private CompletableFuture<O> observeReply(Supplier<CompletableFuture<O>> submission) {
		if (this.observations.areNoop()) {
			return submission.get();
		}
		Observation observation = this.observations.of("submit").start();
		try {
			return ObservedReply.of(submission.get(), observation, this.observations.current());
		}
		catch (RuntimeException | Error ex) {
			observation.error(ex);
			observation.stop();
			throw ex;
		}
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout) {
		return observeIfSent(this.client.trySubmit(request, timeout));
	}

	/**
	 * Begins to observe once the request is sent: one for which there is no slot is no
	 * call, and an observation that was begun cannot be taken back.
	 */
	private Optional<CompletableFuture<O>> observeIfSent(Optional<CompletableFuture<O>> reply) {
		return this.observations.areNoop() ? reply : reply
			.map((sent) -> ObservedReply.of(sent, this.observations.of("submit").start(), this.observations.current()));
	}

	@Override
	public RequestStream<I, O> openStream() {
		return this.client.openStream();
	}

	@Override
	public FrameStream openFrames() {
		return this.client.openFrames();
	}

	@Override
	public InPlaceCalls openInPlace() {
		return this.client.openInPlace();
	}

	@Override
	public RingKernelClient<I, O> withPriority(RequestPriority priority) {
		return new ObservedRingKernelClient<>(this.client.withPriority(priority), this.observations);
	}

}
