package io.ringkernel.routing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.ringkernel.Durations;
import io.ringkernel.FrameStream;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.KernelState;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.RequestInterruptedException;
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

	private final boolean waits;

	private final Routes<I, O> routes;

	private final @Nullable RequestPriority priority;

	/**
	 * Creates the client.
	 * @param kernelId the id of the kernel
	 * @param requestTimeout how long a batch or a broadcast may take if the caller does
	 * not say
	 * @param waits whether a request waits while all slots of its replica are in flight
	 * @param routes where requests go
	 */
	public RoutedClient(String kernelId, Duration requestTimeout, boolean waits, Routes<I, O> routes) {
		this(kernelId, requestTimeout, waits, routes, null);
	}

	private RoutedClient(String kernelId, Duration requestTimeout, boolean waits, Routes<I, O> routes,
			@Nullable RequestPriority priority) {
		this.kernelId = kernelId;
		this.requestTimeout = requestTimeout;
		this.waits = waits;
		this.routes = routes;
		this.priority = priority;
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
	public O call(I request, Duration timeout) {
		return route(request, timeout, RingKernelClient::call);
	}

	@Override
	public CompletableFuture<O> submit(I request, Duration timeout) {
		return route(request, timeout, RingKernelClient::submit);
	}

	@Override
	public Optional<CompletableFuture<O>> trySubmit(I request, Duration timeout) {
		int line = enter(Duration.ZERO);
		if (line == CallGate.CLOSED) {
			return Optional.empty();
		}
		try {
			return offer(request, timeout, RingKernelClient::trySubmit);
		}
		finally {
			this.routes.leave(line);
		}
	}

	@Override
	public void send(I request, Duration timeout) {
		route(request, timeout, (client, it, within) -> {
			client.send(it, within);
			return null;
		});
	}

	@Override
	public List<O> callAll(List<? extends I> requests, Duration timeout) {
		return new RoutedBatch<>(this, timeout).callAll(requests);
	}

	@Override
	public List<O> broadcast(I request, Duration timeout) {
		Broadcast<I, O> broadcast = new Broadcast<>(this.kernelId, timeout, this.waits);
		int line = enterInTime(timeout);
		try {
			return broadcast.call(this.routes.table().clients(this.priority), request);
		}
		finally {
			this.routes.leave(line);
		}
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
		RoutingTable<I, O> table = this.routes.table();
		int left = table.router().attempts();
		while (true) {
			int replica = table.router().replicaForStream();
			try {
				return opening.apply(table.clients(this.priority).get(replica));
			}
			catch (KernelNotActiveException ex) {
				left = attemptsAfter(table, replica, left, ex);
				table = this.routes.table();
			}
		}
	}

	@Override
	public RingKernelClient<I, O> withPriority(RequestPriority priority) {
		return new RoutedClient<>(this.kernelId, this.requestTimeout, this.waits, this.routes, priority);
	}

	/**
	 * Has a replica do something with a request, within one timeout for that and for
	 * being held up. The operation captures nothing, so this allocates nothing unless the
	 * request is held up.
	 */
	private <R extends @Nullable Object> R route(I request, Duration timeout, Operation<I, O, R> operation) {
		int line = enter(Duration.ZERO);
		Duration within = timeout;
		if (line == CallGate.CLOSED) {
			TimeLeft left = new TimeLeft(timeout);
			line = enterInTime(timeout);
			within = left.get();
		}
		try {
			return offer(request, within, operation);
		}
		finally {
			this.routes.leave(line);
		}
	}

	/** Goes in, waiting while the requests of the kernel are held up. */
	private int enterInTime(Duration patience) {
		int line = enter(patience);
		if (line == CallGate.CLOSED) {
			throw new KernelNotActiveException(this.kernelId, KernelState.INACTIVE,
					"It is being resized, and was for %s. Try again.".formatted(Durations.format(patience)));
		}
		return line;
	}

	private int enter(Duration patience) {
		try {
			return this.routes.enter(patience);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.kernelId);
		}
	}

	/**
	 * Hands a request to one replica after another until one takes it, all within one
	 * timeout.
	 */
	private <R extends @Nullable Object> R offer(I request, Duration timeout, Operation<I, O, R> operation) {
		long start = System.nanoTime();
		Duration within = timeout;
		RoutingTable<I, O> table = this.routes.table();
		int left = table.router().attempts();
		while (true) {
			int replica = table.router().replicaFor(request);
			try {
				return operation.apply(table.clients(this.priority).get(replica), request, within);
			}
			catch (KernelNotActiveException ex) {
				left = attemptsAfter(table, replica, left, ex);
				table = this.routes.table();
				within = new TimeLeft(timeout, start).get();
			}
		}
	}

	/**
	 * How many attempts are left after a replica has refused a request. A replica that is
	 * gone by now says nothing of those that took its place.
	 */
	private int attemptsAfter(RoutingTable<I, O> table, int replica, int left, KernelNotActiveException why) {
		RoutingTable<I, O> now = this.routes.table();
		if (now != table) {
			return now.router().attempts();
		}
		if (left <= 1) {
			throw table.router().refusal(replica, why);
		}
		return left - 1;
	}

	@FunctionalInterface
	private interface Operation<I extends Record, O extends Record, R extends @Nullable Object> {

		R apply(RingKernelClient<I, O> client, I request, Duration timeout);

	}

}
