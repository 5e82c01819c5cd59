package io.ringkernel.spring.reactive;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.RequestInterruptedException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A {@link RingKernelClient} for reactive applications.
 * <p>
 * A subscription sends the request. Each subscription sends anew, and cancelling one
 * withdraws what it has in flight. No subscriber's thread is ever blocked: if the ring is
 * full, the wait for a slot, where the kernel allows for one, moves to
 * {@link Schedulers#boundedElastic()}. Failures are those that {@link RingKernelClient}
 * describes.
 * <p>
 * Responses arrive on a completion thread of the kernel. Keep what follows short, or
 * continue elsewhere with {@code publishOn}.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.1.0
 */
public final class ReactiveRingKernelClient<I extends Record, O extends Record> {

	/** How many requests of a stream are in flight at most, where nobody says. */
	public static final int DEFAULT_IN_FLIGHT = 32;

	private final RingKernelClient<I, O> client;

	private final @Nullable Duration timeout;

	private final int inFlight;

	private ReactiveRingKernelClient(RingKernelClient<I, O> client, @Nullable Duration timeout, int inFlight) {
		this.client = client;
		this.timeout = timeout;
		this.inFlight = inFlight;
	}

	/**
	 * A reactive client over a client, with its timeout and its priority.
	 * @param <I> the request
	 * @param <O> the response
	 * @param client the client
	 * @return the reactive client
	 */
	public static <I extends Record, O extends Record> ReactiveRingKernelClient<I, O> of(
			RingKernelClient<I, O> client) {
		return new ReactiveRingKernelClient<>(client, null, DEFAULT_IN_FLIGHT);
	}

	/**
	 * The same client with another timeout.
	 * @param timeout how long a request may take; positive
	 * @return the client
	 */
	public ReactiveRingKernelClient<I, O> withTimeout(Duration timeout) {
		return new ReactiveRingKernelClient<>(this.client, timeout, this.inFlight);
	}

	/**
	 * The same client with another bound for streams.
	 * @param inFlight how many requests of a stream are in flight at most; positive
	 * @return the client
	 * @throws IllegalArgumentException if the bound is not positive
	 */
	public ReactiveRingKernelClient<I, O> withInFlight(int inFlight) {
		if (inFlight < 1) {
			throw new IllegalArgumentException(
					"inFlight = %d is not positive. Pass, say, %d.".formatted(inFlight, DEFAULT_IN_FLIGHT));
		}
		return new ReactiveRingKernelClient<>(this.client, this.timeout, inFlight);
	}

	/**
	 * Sends a request.
	 * @param request the request
	 * @return its response
	 */
	public Mono<O> call(I request) {
		return Mono.defer(() -> {
			long start = System.nanoTime();
			return trySubmit(request).map(Mono::fromFuture).orElseGet(() -> callWaiting(request, start));
		});
	}

	private Optional<CompletableFuture<O>> trySubmit(I request) {
		return (this.timeout != null) ? this.client.trySubmit(request, this.timeout) : this.client.trySubmit(request);
	}

	/** Waits for a slot on a thread that may block. Cancelling interrupts the wait. */
	private Mono<O> callWaiting(I request, long start) {
		AtomicBoolean cancelled = new AtomicBoolean();
		return Mono.fromFuture(() -> submit(request, start, cancelled))
			.subscribeOn(Schedulers.boundedElastic())
			.doOnCancel(() -> cancelled.set(true));
	}

	private CompletableFuture<O> submit(I request, long start, AtomicBoolean cancelled) {
		try {
			return (this.timeout != null) ? this.client.submit(request, remaining(this.timeout, start))
					: this.client.submit(request);
		}
		catch (RequestInterruptedException ex) {
			if (cancelled.get()) {
				// Nobody listens any more.
				return new CompletableFuture<>();
			}
			throw ex;
		}
	}

	/** What is left of a timeout once a thread was found to wait on. */
	private static Duration remaining(Duration timeout, long start) {
		Duration remaining = timeout.minusNanos(System.nanoTime() - start);
		return (remaining.compareTo(Duration.ZERO) > 0) ? remaining : Duration.ofNanos(1);
	}

	/**
	 * Sends requests as fast as they are answered and their responses are consumed. No
	 * more requests are asked for, and no more responses are kept, than may be in flight
	 * beyond what the subscriber has demanded.
	 * @param requests the requests
	 * @return their responses, in the order of the requests; they end with the failure of
	 * the first request that fails, which withdraws the requests behind it
	 */
	public Flux<O> stream(Publisher<? extends I> requests) {
		// As an error, a failure would overtake the responses to earlier requests.
		return Flux.<I>from(requests)
			.flatMapSequential((request) -> call(request).materialize(), this.inFlight, 1)
			.dematerialize();
	}

}
