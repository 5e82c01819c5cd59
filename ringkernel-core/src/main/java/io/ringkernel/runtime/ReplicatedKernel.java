package io.ringkernel.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.IllegalKernelStateException;
import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.KernelNotActiveException;
import io.ringkernel.KernelState;
import io.ringkernel.KernelStuckException;
import io.ringkernel.KeyExtractor;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RingKernelClient;
import io.ringkernel.SnapshotException;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.KernelDump;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.StateOrigin;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.routing.RoutedClient;
import io.ringkernel.routing.Routes;
import io.ringkernel.routing.Routing;
import io.ringkernel.state.HandlerState;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.SnapshotFile;
import io.ringkernel.state.SnapshotWriter;
import org.jspecify.annotations.Nullable;

/**
 * A kernel whose requests are served by several others.
 *
 * @param <I> the request
 * @param <O> the response
 */
final class ReplicatedKernel<I extends Record, O extends Record> implements Kernel<I, O> {

	/** The state of the kernel is the first of these that any replica is in. */
	private static final List<KernelState> PRECEDENCE = List.of(KernelState.ACTIVE, KernelState.FAILED,
			KernelState.TERMINATING, KernelState.INACTIVE, KernelState.LAUNCHED, KernelState.CREATED,
			KernelState.TERMINATED);

	private final KernelSpec<I, O> spec;

	private final ReplicaSource<I, O> source;

	private final Routes<I, O> routes;

	private final Routing routing;

	private final RingKernelClient<I, O> client;

	private final KernelTimings timings;

	/**
	 * Keeps the state of a handler that replicas share; on devices, each keeps its own.
	 */
	private final StateKeeper keeper;

	private volatile List<SingleKernel<I, O>> replicas;

	ReplicatedKernel(KernelSpec<I, O> spec, int count, @Nullable KeyExtractor<? super I> key,
			ReplicaSource<I, O> source, KernelEvents events) {
		this.spec = spec;
		this.source = source;
		this.keeper = new StateKeeper(this, () -> status().processed(), events);
		this.timings = new KernelTimings(spec.id());
		this.replicas = IntStream.range(0, count).mapToObj(this::create).toList();
		this.routing = (key != null) ? Routing.KEY : Routing.LEAST_LOADED;
		this.routes = (key != null) ? Routes.keyed(spec.id(), this.replicas, key) : Routes.leastLoaded(this.replicas);
		this.client = new RoutedClient<>(spec.id(), spec.options().requestTimeout(), this.routes);
	}

	private SingleKernel<I, O> create(int number) {
		SingleKernel<I, O> replica = this.source.create(number);
		replica.timings().addListener(this.timings::record);
		return replica;
	}

	@Override
	public String id() {
		return this.spec.id();
	}

	@Override
	public List<Kernel<I, O>> replicas() {
		return List.copyOf(this.replicas);
	}

	@Override
	public Routing routing() {
		return this.routing;
	}

	@Override
	public KernelSpec<I, O> spec() {
		return this.spec;
	}

	@Override
	public KernelState state() {
		List<KernelState> states = this.replicas.stream().map(SingleKernel::state).toList();
		return PRECEDENCE.stream().filter(states::contains).findFirst().orElseThrow();
	}

	@Override
	public boolean isDeviceLost() {
		return this.replicas.stream().anyMatch(SingleKernel::isDeviceLost);
	}

	@Override
	public ExecutionPlan plan() {
		return this.replicas.get(0).plan();
	}

	@Override
	public RingKernelClient<I, O> client() {
		return this.client;
	}

	@Override
	public synchronized void launch() {
		boolean first = !isLaunched();
		each(KernelState.LAUNCHED, SingleKernel::launch);
		if (first && sharesHandler()) {
			try {
				this.keeper.launched(this::sharedState, this::stateAtRest);
			}
			catch (RuntimeException ex) {
				terminate(this.replicas, ex);
				throw ex;
			}
		}
	}

	private boolean isLaunched() {
		return this.replicas.stream().anyMatch(SingleKernel::launched);
	}

	@Override
	public synchronized void activate() {
		each(KernelState.ACTIVE, SingleKernel::activate);
	}

	@Override
	public synchronized void deactivate() {
		each(KernelState.INACTIVE, SingleKernel::deactivate);
	}

	@Override
	public synchronized void terminate() {
		boolean ends = isLaunched() && sharesHandler();
		each(this.replicas, SingleKernel::terminate);
		if (ends) {
			this.keeper.terminated(this::sharedState);
		}
	}

	/**
	 * One after another, so that the others serve on.
	 */
	@Override
	public synchronized void relaunch() {
		if (isLaunched()) {
			each(this.replicas, SingleKernel::relaunch);
		}
		else {
			launch();
			activate();
		}
	}

	private void each(KernelState next, Consumer<SingleKernel<I, O>> operation) {
		List<SingleKernel<I, O>> able = this.replicas.stream()
			.filter((replica) -> replica.state().canMoveTo(next))
			.toList();
		if (able.isEmpty()) {
			throw new IllegalKernelStateException(id(), state(), next);
		}
		each(able, operation);
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

	@Override
	public synchronized void resize(int count) {
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
	 * On a device, a replica has the state of all of its keys in one piece.
	 */
	private void requireStateToBeShared(int count) {
		if (this.routing == Routing.KEY && isLaunched() && plan().backend() != BackendKind.CPU) {
			throw new InvalidConfigurationException("replicas", count,
					"cannot be reached while ring kernel '%s' runs on a device: its requests are routed by key, and a device keeps the state of all keys of a replica together"
						.formatted(id()),
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

	/**
	 * Requests of a key are answered by the replica that has had it before another one
	 * gets the next.
	 */
	private void lead(List<SingleKernel<I, O>> before, List<SingleKernel<I, O>> after) {
		Duration patience = this.spec.options().drainTimeout();
		long deadline = System.nanoTime() + patience.toNanos();
		try {
			boolean idle = this.routes.holdUp(deadline);
			for (int i = 0; idle && this.routing == Routing.KEY && i < before.size(); i++) {
				idle = before.get(i).awaitIdle(deadline);
			}
			if (!idle) {
				throw new KernelStuckException(id(), "answer what is in flight", patience);
			}
			this.routes.lead(after);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(id());
		}
		finally {
			this.routes.resume();
		}
	}

	/**
	 * Terminates replicas that get no requests any more.
	 * @param why the failure that is not to be hidden; {@code null} if there was none
	 */
	private void take(List<SingleKernel<I, O>> gone, @Nullable Throwable why) {
		try {
			terminate(gone, why);
		}
		finally {
			gone.forEach(this.source::taken);
		}
	}

	private void terminate(List<SingleKernel<I, O>> those, @Nullable Throwable why) {
		try {
			each(those, SingleKernel::terminate);
		}
		catch (RuntimeException ex) {
			if (why == null) {
				throw ex;
			}
			why.addSuppressed(ex);
		}
	}

	@Override
	public void snapshot(Path file) {
		try (SnapshotWriter snapshot = new SnapshotWriter(id(), file)) {
			stateAtRest("take a snapshot", snapshot::write);
			snapshot.commit();
		}
	}

	@Override
	public void restore(Path file) {
		try (SnapshotFile snapshot = SnapshotFile.open(id(), file)) {
			stateAtRest("restore a snapshot", snapshot::restore);
		}
	}

	@Override
	public Optional<DeviceMemory> allocate(long bytes) {
		throw new UnsupportedOperationException(
				"Ring kernel '%s' has replicas, each on a device of its own. Allocate memory for each of its replicas()."
					.formatted(id()));
	}

	@Override
	public Optional<StateOrigin> stateOrigin() {
		return Optional.ofNullable(this.keeper.origin());
	}

	private boolean sharesHandler() {
		return this.replicas.stream().allMatch((replica) -> replica.plan().backend() == BackendKind.CPU);
	}

	private KernelMemory sharedState() {
		return new HandlerState(id(), this.spec.handler());
	}

	/**
	 * Has the state of the handler that the replicas share read or written while none of
	 * them handles a request.
	 */
	private synchronized void stateAtRest(String command, Consumer<KernelMemory> access) {
		List<SingleKernel<I, O>> launched = this.replicas.stream().filter(SingleKernel::launched).toList();
		if (launched.isEmpty()) {
			throw new KernelNotActiveException(id(), state());
		}
		atRest(launched.iterator(), command, access);
	}

	/** Each has the next come to rest while it is at rest itself. */
	private void atRest(Iterator<SingleKernel<I, O>> further, String command, Consumer<KernelMemory> access) {
		if (further.hasNext()) {
			further.next().atRest(command, () -> atRest(further, command, access));
		}
		else if (sharesHandler()) {
			access.accept(sharedState());
		}
		else {
			throw new SnapshotException(id(),
					"each of its %d replicas has a state of its own".formatted(this.replicas.size()),
					"Use a file for each of its replicas().", null);
		}
	}

	@Override
	public KernelStatus status() {
		return KernelStatus.of(id(), state(), this.replicas.stream().map(SingleKernel::status).toList());
	}

	@Override
	public Optional<KernelDump> dump() {
		return Optional.empty();
	}

	@Override
	public KernelTimings timings() {
		return this.timings;
	}

	@Override
	public Optional<DeviceTimes> deviceTimes() {
		List<DeviceTimes> times = this.replicas.stream().flatMap((replica) -> replica.deviceTimes().stream()).toList();
		return times.isEmpty() ? Optional.empty() : Optional.of(DeviceTimes.of(times));
	}

	@Override
	public Map<String, Object> launchParameters() {
		return Map.of();
	}

	@Override
	public List<KernelError> latestErrors() {
		return this.replicas.stream()
			.flatMap((replica) -> replica.latestErrors().stream())
			.sorted(Comparator.comparing(KernelError::at).reversed())
			.toList();
	}

	@Override
	public String toString() {
		return "ring kernel '%s'".formatted(id());
	}

}
