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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client whose calls are observed. Streams are not: they are there for throughput, and
 * an observation takes longer than a message.
 */
final class ObservedRingKernelClient<I extends Record, O extends Record> implements RingKernelClient<I, O> {

	private static final Logger logger = LoggerFactory.getLogger(ObservedRingKernelClient.class);

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
			ObservedReply.end(observation, ex);
			throw ex;
		}
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout) {
		return this.client.trySubmit(request, timeout).map(this::observeSent);
	}

	/**
	 * Begins to observe once the request is sent: one for which there is no slot is no
	 * call, and an observation that was begun cannot be taken back. If it cannot begin,
	 * the caller still gets the reply.
	 */
	private CompletableFuture<O> observeSent(CompletableFuture<O> reply) {
		try {
			return this.observations.areNoop() ? reply
					: ObservedReply.of(reply, this.observations.of("submit").start(), this.observations.current());
		}
		catch (RuntimeException | Error ex) {
			logger.error("A call of ring kernel '{}' is not observed: its observation failed to start.", kernelId(),
					ex);
			return reply;
		}
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
