package io.ringkernel.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.ringkernel.IllegalKernelStateException;
import io.ringkernel.KernelState;
import io.ringkernel.KeyExtractor;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RingKernelClient;
import io.ringkernel.SnapshotException;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.KernelDump;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.routing.RoutedClient;
import io.ringkernel.routing.Routing;
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

	private final List<SingleKernel<I, O>> replicas;

	private final Routing routing;

	private final RingKernelClient<I, O> client;

	private final KernelTimings timings;

	ReplicatedKernel(KernelSpec<I, O> spec, List<SingleKernel<I, O>> replicas, @Nullable KeyExtractor<? super I> key) {
		this.spec = spec;
		this.replicas = List.copyOf(replicas);
		Duration timeout = spec.options().requestTimeout();
		this.routing = (key != null) ? Routing.KEY : Routing.LEAST_LOADED;
		this.client = (key != null) ? RoutedClient.keyed(spec.id(), timeout, this.replicas, key)
				: RoutedClient.leastLoaded(spec.id(), timeout, this.replicas);
		this.timings = new KernelTimings(spec.id());
		this.replicas.forEach((replica) -> replica.timings().addListener(this.timings::record));
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
	public void launch() {
		each(KernelState.LAUNCHED, SingleKernel::launch);
	}

	@Override
	public void activate() {
		each(KernelState.ACTIVE, SingleKernel::activate);
	}

	@Override
	public void deactivate() {
		each(KernelState.INACTIVE, SingleKernel::deactivate);
	}

	@Override
	public void terminate() {
		each(this.replicas, SingleKernel::terminate);
	}

	/**
	 * One after another, so that the others serve on.
	 */
	@Override
	public void relaunch() {
		each(this.replicas, SingleKernel::relaunch);
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
	public void snapshot(Path file) {
		throw statePerReplica();
	}

	@Override
	public void restore(Path file) {
		throw statePerReplica();
	}

	private SnapshotException statePerReplica() {
		return new SnapshotException(id(),
				"each of its %d replicas has a state of its own".formatted(replicas().size()),
				"Use a file for each of its replicas().", null);
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
