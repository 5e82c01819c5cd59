package io.ringkernel.routing;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Which replicas the requests of a kernel go to. That changes while requests are sent.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.2.0
 */
public final class Routes<I extends Record, O extends Record> {

	private final Function<List<? extends Replica<I, O>>, Router<I>> routers;

	/** None where any replica serves any request. */
	private final @Nullable CallGate gate;

	private volatile RoutingTable<I, O> table;

	private Routes(Function<List<? extends Replica<I, O>>, Router<I>> routers, @Nullable CallGate gate,
			List<? extends Replica<I, O>> replicas) {
		this.routers = routers;
		this.gate = gate;
		this.table = new RoutingTable<>(routers.apply(replicas), replicas);
	}

	/**
	 * Routes each request to a replica with few requests in flight.
	 * @param <I> the request
	 * @param <O> the response
	 * @param replicas the replicas, at least one
	 * @return the routes
	 */
	public static <I extends Record, O extends Record> Routes<I, O> leastLoaded(
			List<? extends Replica<I, O>> replicas) {
		return new Routes<>(LeastLoadedRouter::new, null, replicas);
	}

	/**
	 * Routes each request to the replica of its key.
	 * @param <I> the request
	 * @param <O> the response
	 * @param kernelId the id of the kernel
	 * @param replicas the replicas, by their shard
	 * @param key reads the key of a request
	 * @return the routes
	 */
	public static <I extends Record, O extends Record> Routes<I, O> keyed(String kernelId,
			List<? extends Replica<I, O>> replicas, KeyExtractor<? super I> key) {
		return new Routes<>((those) -> new KeyRouter<>(kernelId, those.size(), key), new CallGate(), replicas);
	}

	/**
	 * Holds up requests until they are {@linkplain #resume resumed}, and waits until the
	 * last one that was routed is with its replica. Requests that go to any replica are
	 * not held up.
	 * @param deadline until when to wait, as {@link System#nanoTime()} tells the time
	 * @return whether none is on its way
	 * @throws InterruptedException if the thread was interrupted
	 */
	public boolean holdUp(long deadline) throws InterruptedException {
		return this.gate == null || this.gate.close(deadline);
	}

	/**
	 * Routes requests to these replicas from now on.
	 * @param replicas the replicas, at least one
	 */
	public void lead(List<? extends Replica<I, O>> replicas) {
		this.table = new RoutingTable<>(this.routers.apply(replicas), replicas);
	}

	/**
	 * Lets requests pass.
	 */
	public void resume() {
		if (this.gate != null) {
			this.gate.open();
		}
	}

	@Nullable CallGate gate() {
		return this.gate;
	}

	RoutingTable<I, O> table() {
		return this.table;
	}

}
