package io.ringkernel.runtime;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.KernelDump;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.StateOrigin;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.routing.RoutedClient;
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

	private final KernelSpec<I, O> spec;

	private final ReplicaSet<I, O> replicas;

	private final RingKernelClient<I, O> client;

	private final KernelTimings timings;

	/**
	 * Keeps the state of a handler that replicas share; on devices, each keeps its own.
	 */
	private final StateKeeper keeper;

	ReplicatedKernel(KernelSpec<I, O> spec, int count, @Nullable KeyExtractor<? super I> key,
			IntFunction<SingleKernel<I, O>> source, KernelEvents events) {
		this.spec = spec;
		this.keeper = new StateKeeper(this, () -> status().processed(), events);
		this.timings = new KernelTimings(spec.id());
		this.replicas = new ReplicaSet<>(spec, count, key, source,
				(replica) -> events.publish(new KernelRemoval(replica)), this.timings);
		this.client = new RoutedClient<>(spec.id(), spec.options().requestTimeout(),
				spec.options().backpressure() == Backpressure.BLOCK, this.replicas.routes());
	}

	@Override
	public String id() {
		return this.spec.id();
	}

	@Override
	public List<Kernel<I, O>> replicas() {
		return List.copyOf(this.replicas.list());
	}

	@Override
	public Routing routing() {
		return this.replicas.routing();
	}

	@Override
	public KernelSpec<I, O> spec() {
		return this.spec;
	}

	@Override
	public KernelState state() {
		return this.replicas.state();
	}

	@Override
	public boolean isDeviceLost() {
		return this.replicas.list().stream().anyMatch(SingleKernel::isDeviceLost);
	}

	@Override
	public ExecutionPlan plan() {
		return this.replicas.list().get(0).plan();
	}

	@Override
	public RingKernelClient<I, O> client() {
		return this.client;
	}

	@Override
	public synchronized void launch() {
		boolean first = !this.replicas.isLaunched();
		this.replicas.each(KernelState.LAUNCHED, SingleKernel::launch);
		if (first && this.replicas.sharesHandler()) {
			try {
				this.keeper.launched(this::sharedState, this::stateAtRest);
			}
			catch (RuntimeException ex) {
				this.replicas.terminate(ex);
				throw ex;
			}
		}
	}

	@Override
	public synchronized void activate() {
		this.replicas.each(KernelState.ACTIVE, SingleKernel::activate);
	}

	@Override
	public synchronized void deactivate() {
		this.replicas.each(KernelState.INACTIVE, SingleKernel::deactivate);
	}

	@Override
	public synchronized void terminate() {
		boolean ends = this.replicas.isLaunched() && this.replicas.sharesHandler();
		this.replicas.each(SingleKernel::terminate);
		if (ends) {
			this.keeper.terminated(this::sharedState);
		}
	}

	/**
	 * One after another, so that the others serve on.
	 */
	@Override
	public synchronized void relaunch() {
		if (this.replicas.isLaunched()) {
			this.replicas.each(SingleKernel::relaunch);
		}
		else {
			launch();
			activate();
		}
	}

	@Override
	public synchronized void resize(int count) {
		this.replicas.resize(count);
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

	private KernelMemory sharedState() {
		return new HandlerState(id(), this.spec.handler());
	}

	/**
	 * Has the state of the handler that the replicas share read or written while none of
	 * them handles a request.
	 */
	private synchronized void stateAtRest(String command, Consumer<KernelMemory> access) {
		List<SingleKernel<I, O>> launched = this.replicas.list().stream().filter(SingleKernel::launched).toList();
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
		else if (this.replicas.sharesHandler()) {
			access.accept(sharedState());
		}
		else {
			throw new SnapshotException(id(),
					"each of its %d replicas has a state of its own".formatted(this.replicas.list().size()),
					"Use a file for each of its replicas().", null);
		}
	}

	@Override
	public KernelStatus status() {
		return KernelStatus.of(id(), state(), this.replicas.list().stream().map(SingleKernel::status).toList());
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
		List<DeviceTimes> times = this.replicas.list()
			.stream()
			.flatMap((replica) -> replica.deviceTimes().stream())
			.toList();
		return times.isEmpty() ? Optional.empty() : Optional.of(DeviceTimes.of(times));
	}

	@Override
	public Map<String, Object> launchParameters() {
		return Map.of();
	}

	@Override
	public List<KernelError> latestErrors() {
		return this.replicas.list()
			.stream()
			.flatMap((replica) -> replica.latestErrors().stream())
			.sorted(Comparator.comparing(KernelError::at).reversed())
			.toList();
	}

	@Override
	public String toString() {
		return "ring kernel '%s'".formatted(id());
	}

}
