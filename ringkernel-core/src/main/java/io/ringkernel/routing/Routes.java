package io.ringkernel.routing;

import java.time.Duration;
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

	/**
	 * Creates the routes.
	 * @param kernelId the id of the kernel
	 * @param replicas the replicas, by their number, at least one
	 * @param key reads the key of a request, if requests with equal keys go to the same
	 * replica; {@code null} if each goes to a replica with few requests in flight
	 */
	public Routes(String kernelId, List<? extends Replica<I, O>> replicas, @Nullable KeyExtractor<? super I> key) {
		this.routers = (key != null) ? (those) -> new KeyRouter<>(kernelId, those.size(), key) : LeastLoadedRouter::new;
		this.gate = (key != null) ? new CallGate() : null;
		this.table = new RoutingTable<>(this.routers.apply(replicas), replicas);
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

	/** Lets requests pass. */
	public void resume() {
		if (this.gate != null) {
			this.gate.open();
		}
	}

	/** Goes in as by {@link CallGate#enter}, and at once if there is no gate. */
	int enter(Duration patience) throws InterruptedException {
		return (this.gate != null) ? this.gate.enter(patience) : 0;
	}

	void leave(int line) {
		if (this.gate != null) {
			this.gate.leave(line);
		}
	}

	RoutingTable<I, O> table() {
		return this.table;
	}

}
