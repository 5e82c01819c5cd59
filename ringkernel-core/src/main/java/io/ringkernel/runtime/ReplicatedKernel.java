package io.ringkernel.runtime;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.PartlyRestoredException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.observe.DeviceTimes;
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
import org.jspecify.annotations.Nullable;

/**
 * A kernel whose requests are served by several others.
 */
final class ReplicatedKernel<I extends Record, O extends Record> implements Kernel<I, O> {

	private final KernelSpec<I, O> spec;

	private final ReplicaSet<I, O> replicas;

	private final RingKernelClient<I, O> client;

	private final KernelTimings timings;

	/** Keeps the state of a handler that replicas share; devices keep their own. */
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
		boolean serves = this.replicas.isLaunched();
		this.replicas.each(KernelState.LAUNCHED, SingleKernel::launch);
		if (lacksState()) {
			try {
				if (serves) {
					// A replica that was launched by itself may have changed it.
					this.keeper.abandoned(this::sharedState);
				}
				atRest("launch", () -> this.keeper.launched(this::sharedState, this::stateAtRest));
			}
			catch (RuntimeException ex) {
				this.replicas.terminate(ex);
				throw ex;
			}
		}
	}

	/** Whether no launch has restored the state of a handler that replicas share. */
	private boolean lacksState() {
		return !this.keeper.isInLaunch() && this.replicas.sharesHandler();
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
		// The replicas may have been terminated one by one before.
		boolean ends = this.keeper.isInLaunch() || this.replicas.isLaunched();
		try {
			this.replicas.each(SingleKernel::terminate);
		}
		finally {
			if (ends && !this.replicas.isLaunched()) {
				endState();
			}
		}
	}

	private void endState() {
		if (!this.replicas.sharesHandler()) {
			this.keeper.end();
		}
		else if (this.replicas.list().stream().allMatch(SingleKernel::isAtRest)) {
			this.keeper.terminated(this::sharedState);
		}
		else {
			this.keeper.abandoned(this::sharedState);
		}
	}

	/** One by one, so that others serve on, unless the state is to be restored. */
	@Override
	public synchronized void relaunch() {
		if (this.replicas.isLaunched() && !lacksState()) {
			this.replicas.each(SingleKernel::relaunch);
			return;
		}
		if (this.replicas.isLaunched()) {
			terminate();
		}
		launch();
		activate();
	}

	@Override
	public synchronized void resize(int count) {
		this.replicas.resize(count);
	}

	@Override
	public void snapshot(Path file) {
		this.keeper.snapshot(file, this::stateAtRest);
	}

	@Override
	public void restore(Path file) {
		this.keeper.restore(file, this::stateAtRest);
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

	/** Reads or writes the shared state while no replica handles a request. */
	private synchronized void stateAtRest(String command, Consumer<KernelMemory> access) {
		try {
			atRest(command, () -> {
				if (!this.replicas.sharesHandler()) {
					throw new SnapshotException(id(),
							"each of its %d replicas has a state of its own".formatted(this.replicas.list().size()),
							"Use a file for each of its replicas().", null);
				}
				access.accept(sharedState());
			});
		}
		catch (PartlyRestoredException ex) {
			this.keeper.end();
			throw ex;
		}
	}

	private void atRest(String command, Runnable action) {
		List<SingleKernel<I, O>> launched = this.replicas.list().stream().filter(SingleKernel::launched).toList();
		if (launched.isEmpty()) {
			throw new KernelNotActiveException(id(), state());
		}
		atRest(launched.iterator(), command, action);
	}

	/** Each has the next come to rest while it is at rest itself. */
	private void atRest(Iterator<SingleKernel<I, O>> further, String command, Runnable action) {
		if (further.hasNext()) {
			further.next().atRest(command, () -> atRest(further, command, action));
		}
		else {
			action.run();
		}
	}

	@Override
	public KernelStatus status() {
		return KernelStatus.of(id(), state(), this.replicas.list().stream().map(SingleKernel::status).toList());
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
