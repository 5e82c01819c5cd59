package io.ringkernel.routing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.ringkernel.KernelNotActiveException;
import io.ringkernel.KeyExtractor;
import io.ringkernel.FrameStream;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import org.jspecify.annotations.Nullable;

/**
 * The client of a kernel with replicas: hands each request to the client of one of them.
 * A replica that has just stopped refuses the request, and nothing was sent then, so
 * another replica may be asked. A request that was sent is not sent again.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.2.0
 */
public final class RoutedClient<I extends Record, O extends Record> implements RingKernelClient<I, O> {

	private final String kernelId;

	private final Duration requestTimeout;

	private final List<RingKernelClient<I, O>> clients;

	private final Router<I> router;

	private RoutedClient(String kernelId, Duration requestTimeout, List<RingKernelClient<I, O>> clients,
			Router<I> router) {
		this.kernelId = kernelId;
		this.requestTimeout = requestTimeout;
		this.clients = clients;
		this.router = router;
	}

	/**
	 * Creates a client that sends each request to a replica with few requests in flight.
	 * @param <I> the request
	 * @param <O> the response
	 * @param kernelId the id of the kernel
	 * @param requestTimeout how long a batch may take if the caller does not say
	 * @param replicas the replicas, at least two
	 * @return the client
	 */
	public static <I extends Record, O extends Record> RoutedClient<I, O> leastLoaded(String kernelId,
			Duration requestTimeout, List<? extends Replica<I, O>> replicas) {
		return new RoutedClient<>(kernelId, requestTimeout, clientsOf(replicas), new LeastLoadedRouter<>(replicas));
	}

	/**
	 * Creates a client that sends each request to the replica of its key.
	 * @param <I> the request
	 * @param <O> the response
	 * @param kernelId the id of the kernel
	 * @param requestTimeout how long a batch may take if the caller does not say
	 * @param replicas the replicas, by their shard
	 * @param key reads the key of a request
	 * @return the client
	 */
	public static <I extends Record, O extends Record> RoutedClient<I, O> keyed(String kernelId,
			Duration requestTimeout, List<? extends Replica<I, O>> replicas, KeyExtractor<? super I> key) {
		return new RoutedClient<>(kernelId, requestTimeout, clientsOf(replicas),
				new KeyRouter<>(kernelId, replicas.size(), key));
	}

	private static <I extends Record, O extends Record> List<RingKernelClient<I, O>> clientsOf(
			List<? extends Replica<I, O>> replicas) {
		return replicas.stream().<RingKernelClient<I, O>>map(Replica::client).toList();
	}

	@Override
	public String kernelId() {
		return this.kernelId;
	}

	@Override
	public O call(I request) {
		return route(request, null, (client, it, none) -> client.call(it));
	}

	@Override
	public O call(I request, Duration timeout) {
		return route(request, timeout, RingKernelClient::call);
	}

	@Override
	public CompletableFuture<O> submit(I request) {
		return route(request, null, (client, it, none) -> client.submit(it));
	}

	@Override
	public CompletableFuture<O> submit(I request, Duration timeout) {
		return route(request, timeout, RingKernelClient::submit);
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request) {
		return route(request, null, (client, it, none) -> client.trySubmit(it));
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout) {
		return route(request, timeout, RingKernelClient::trySubmit);
	}

	@Override
	public void send(I request) {
		route(request, null, (client, it, none) -> {
			client.send(it);
			return none;
		});
	}

	@Override
	public void send(I request, Duration timeout) {
		route(request, timeout, (client, it, within) -> {
			client.send(it, within);
			return null;
		});
	}

	@Override
	public List<O> callAll(List<? extends I> requests) {
		return callAll(requests, this.requestTimeout);
	}

	@Override
	public List<O> callAll(List<? extends I> requests, Duration timeout) {
		return new RoutedBatch<>(this, timeout).callAll(requests);
	}

	/**
	 * Opens a stream on one of the replicas, where it stays.
	 * @throws UnsupportedOperationException if requests go by their key
	 */
	@Override
	public RequestStream<I, O> openStream() {
		return open(RingKernelClient::openStream);
	}

	/**
	 * Opens frames on one of the replicas, where they stay.
	 * @throws UnsupportedOperationException if requests go by their key
	 */
	@Override
	public FrameStream openFrames() {
		return open(RingKernelClient::openFrames);
	}

	/**
	 * Opens in-place calls on one of the replicas, where they stay.
	 * @throws UnsupportedOperationException if requests go by their key
	 */
	@Override
	public InPlaceCalls openInPlace() {
		return open(RingKernelClient::openInPlace);
	}

	private <S> S open(Function<RingKernelClient<I, O>, S> opening) {
		for (int left = this.router.attempts();; left--) {
			int replica = this.router.replicaForStream();
			try {
				return opening.apply(this.clients.get(replica));
			}
			catch (KernelNotActiveException ex) {
				if (left <= 1) {
					throw this.router.refusal(replica, ex);
				}
			}
		}
	}

	@Override
	public RingKernelClient<I, O> withPriority(RequestPriority priority) {
		return new RoutedClient<>(this.kernelId, this.requestTimeout,
				this.clients.stream().map((client) -> client.withPriority(priority)).toList(), this.router);
	}

	/**
	 * Has a replica do something with a request. The operation captures nothing, so this
	 * allocates nothing.
	 */
	private <A extends @Nullable Object, R extends @Nullable Object> R route(I request, A argument,
			Operation<I, O, A, R> operation) {
		for (int left = this.router.attempts();; left--) {
			int replica = this.router.replicaFor(request);
			try {
				return operation.apply(this.clients.get(replica), request, argument);
			}
			catch (KernelNotActiveException ex) {
				if (left <= 1) {
					throw this.router.refusal(replica, ex);
				}
			}
		}
	}

	/**
	 * One method of a client.
	 */
	@FunctionalInterface
	private interface Operation<I extends Record, O extends Record, A extends @Nullable Object, R extends @Nullable Object> {

		R apply(RingKernelClient<I, O> client, I request, A argument);

	}

}
