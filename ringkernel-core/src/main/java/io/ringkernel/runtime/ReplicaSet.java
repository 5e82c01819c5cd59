package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.IllegalKernelStateException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.routing.Routes;
import io.ringkernel.routing.Routing;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of a kernel: how many there are, what state they are in together, and what
 * leads requests to them. For one thread at a time, except that any thread may look.
 */
final class ReplicaSet<I extends Record, O extends Record> {

	/** The state of the kernel is the first of these that any replica is in. */
	private static final List<KernelState> PRECEDENCE = List.of(KernelState.ACTIVE, KernelState.FAILED,
			KernelState.TERMINATING, KernelState.INACTIVE, KernelState.LAUNCHED, KernelState.CREATED,
			KernelState.TERMINATED);

	private final KernelSpec<I, O> spec;

	/** Creates the replica of a number. */
	private final IntFunction<SingleKernel<I, O>> source;

	/** Is told of a replica that is no more. */
	private final Consumer<SingleKernel<I, O>> taken;

	private final KernelTimings timings;

	private final Routing routing;

	private final Routes<I, O> routes;

	private volatile List<SingleKernel<I, O>> replicas;

	ReplicaSet(KernelSpec<I, O> spec, int count, @Nullable KeyExtractor<? super I> key,
			IntFunction<SingleKernel<I, O>> source, Consumer<SingleKernel<I, O>> taken, KernelTimings timings) {
		this.spec = spec;
		this.source = source;
		this.taken = taken;
		this.timings = timings;
		this.replicas = IntStream.range(0, count).mapToObj(this::create).toList();
		this.routing = (key != null) ? Routing.KEY : Routing.LEAST_LOADED;
		this.routes = new Routes<>(spec.id(), this.replicas, key);
	}

	private SingleKernel<I, O> create(int number) {
		SingleKernel<I, O> replica = this.source.apply(number);
		replica.timings().addListener(this.timings::record);
		return replica;
	}

	List<SingleKernel<I, O>> list() {
		return this.replicas;
	}

	Routing routing() {
		return this.routing;
	}

	Routes<I, O> routes() {
		return this.routes;
	}

	KernelState state() {
		List<KernelState> states = this.replicas.stream().map(SingleKernel::state).toList();
		return PRECEDENCE.stream().filter(states::contains).findFirst().orElseThrow();
	}

	/** Whether any of the replicas has a ring. */
	boolean isLaunched() {
		return this.replicas.stream().anyMatch(SingleKernel::launched);
	}

	/** Whether no replica runs on a device, so that all share the handler. */
	boolean sharesHandler() {
		return this.replicas.stream().allMatch((replica) -> replica.plan().backend() == BackendKind.CPU);
	}

	/** Carries an operation out on each replica that it may lead to a state. */
	void each(KernelState next, Consumer<SingleKernel<I, O>> operation) {
		List<SingleKernel<I, O>> able = this.replicas.stream()
			.filter((replica) -> replica.state().canMoveTo(next))
			.toList();
		if (able.isEmpty()) {
			throw new IllegalKernelStateException(this.spec.id(), state(), next);
		}
		each(able, operation);
	}

	/** A replica that fails does not keep the others from the operation. */
	void each(Consumer<SingleKernel<I, O>> operation) {
		each(this.replicas, operation);
	}

	private void each(List<SingleKernel<I, O>> those, Consumer<SingleKernel<I, O>> operation) {
		RuntimeException failure = null;
		for (SingleKernel<I, O> replica : those) {
			try {
				operation.accept(replica);
			}
			catch (RequestInterruptedException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/** Terminates all replicas after a failure, which is not to be hidden. */
	void terminate(RuntimeException why) {
		terminate(this.replicas, why);
	}

	/** An interrupt would leave replicas at work that nothing leads to any more. */
	private void terminate(List<SingleKernel<I, O>> those, @Nullable Throwable why) {
		try {
			each(those, LifecycleLock::terminate);
		}
		catch (RuntimeException ex) {
			if (why == null) {
				throw ex;
			}
			why.addSuppressed(ex);
		}
	}

	/** Adds replicas, or takes the last ones away. */
	void resize(int count) {
		Replication.check(count);
		List<SingleKernel<I, O>> before = this.replicas;
		if (count == before.size()) {
			return;
		}
		requireStateToBeShared(count);
		List<SingleKernel<I, O>> fresh = IntStream.range(before.size(), count).mapToObj(this::create).toList();
		List<SingleKernel<I, O>> after = (count > before.size())
				? Stream.concat(before.stream(), fresh.stream()).toList() : List.copyOf(before.subList(0, count));
		try {
			start(fresh, after);
			lead(before, after);
		}
		catch (RuntimeException | Error ex) {
			this.replicas = before;
			take(fresh, ex);
			throw ex;
		}
		this.replicas = after;
		take(before.subList(Math.min(count, before.size()), before.size()), null);
	}

	/**
	 * On a device, a replica has the state of all of its keys in one piece. One that runs
	 * on the CPU in place of its device returns to that, and may have others beside it
	 * that are on theirs.
	 */
	private void requireStateToBeShared(int count) {
		if (this.routing == Routing.KEY && isLaunched()
				&& !this.replicas.stream().allMatch(SingleKernel::isPlannedOnCpu)) {
			throw new InvalidConfigurationException("replicas", count,
					"cannot be reached while ring kernel '%s' runs on a device or is to return to one: its requests are routed by key, and a device keeps the state of all keys of a replica together"
						.formatted(this.spec.id()),
					"Terminate the kernel before, launch it afterwards, and load the state of the keys anew.");
		}
	}

	/**
	 * Brings new replicas to where the others are. They are listed before, so that
	 * whoever is told of their launch finds them.
	 */
	private void start(List<SingleKernel<I, O>> fresh, List<SingleKernel<I, O>> after) {
		boolean launched = isLaunched();
		boolean active = state() == KernelState.ACTIVE;
		if (!fresh.isEmpty()) {
			this.replicas = after;
		}
		if (launched) {
			fresh.forEach(SingleKernel::launch);
		}
		if (active) {
			fresh.forEach(SingleKernel::activate);
		}
	}

	/** The next request of a key waits until the replica before has answered. */
	private void lead(List<SingleKernel<I, O>> before, List<SingleKernel<I, O>> after) {
		Duration patience = this.spec.options().drainTimeout();
		long deadline = System.nanoTime() + patience.toNanos();
		try {
			boolean idle = this.routes.holdUp(deadline);
			for (int i = 0; idle && this.routing == Routing.KEY && i < before.size(); i++) {
				idle = before.get(i).awaitIdle(deadline);
			}
			if (!idle) {
				throw new KernelStuckException(this.spec.id(), "answer what is in flight", patience);
			}
			this.routes.lead(after);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.spec.id());
		}
		finally {
			this.routes.resume();
		}
	}

	/** Terminates replicas that get no requests any more. */
	private void take(List<SingleKernel<I, O>> gone, @Nullable Throwable why) {
		try {
			terminate(gone, why);
		}
		finally {
			gone.forEach(this.taken);
		}
	}

}
