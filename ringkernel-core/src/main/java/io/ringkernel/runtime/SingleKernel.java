package io.ringkernel.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.DumpReader;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.observe.KernelDump;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.StateOrigin;
import io.ringkernel.observe.StatusReader;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.routing.Replica;
import io.ringkernel.session.KernelClient;
import io.ringkernel.session.KernelSession;

/**
 * A kernel with one session at a time: an ordinary kernel, or one replica of another.
 */
final class SingleKernel<I extends Record, O extends Record> implements Kernel<I, O>, Replica<I, O> {

	private final KernelSpec<I, O> spec;

	private final KernelPlacement placement;

	private final KernelSessions<I, O> sessions;

	private final KernelLifecycle<I, O> lifecycle;

	private final RingKernelClient<I, O> client;

	private final KernelCounters counters = new KernelCounters();

	private final KernelTimings timings;

	private final StatusReader status;

	SingleKernel(KernelSpec<I, O> spec, PlannedBackend planned, PlannedBackends backends, List<PlannedBackend> spares,
			KernelEvents events) {
		this.spec = spec;
		this.timings = new KernelTimings(spec.id());
		this.status = new StatusReader(spec, this.counters);
		this.placement = new KernelPlacement(this, planned, backends, spares, events);
		this.sessions = new KernelSessions<>(this, this.placement::isLost, this.counters, events);
		this.lifecycle = new KernelLifecycle<>(this, this.sessions, this.placement, this.counters, this.timings,
				events);
		this.client = new KernelClient<>(spec.id(), this.sessions::active, spec.options());
	}

	@Override
	public KernelSpec<I, O> spec() {
		return this.spec;
	}

	@Override
	public KernelState state() {
		return this.sessions.state();
	}

	@Override
	public boolean isDeviceLost() {
		return this.placement.isLost();
	}

	@Override
	public ExecutionPlan plan() {
		return this.placement.plan();
	}

	@Override
	public RingKernelClient<I, O> client() {
		return this.client;
	}

	@Override
	public int load() {
		KernelSession<I, O> current = this.sessions.session();
		return (current != null) ? current.ring().inFlight().load() : 0;
	}

	@Override
	public void launch() {
		this.lifecycle.launch();
	}

	@Override
	public void activate() {
		this.lifecycle.activate();
	}

	@Override
	public void deactivate() {
		this.lifecycle.deactivate();
	}

	@Override
	public void terminate() {
		this.lifecycle.terminate();
	}

	@Override
	public void relaunch() {
		this.lifecycle.relaunch();
	}

	@Override
	public void resize(int replicas) {
		if (replicas != 1) {
			throw new InvalidConfigurationException("replicas", replicas,
					"cannot be reached by ring kernel '%s', which was defined with one".formatted(id()),
					"Define it with two replicas or more.");
		}
	}

	/** Whether this kernel has a ring. */
	boolean launched() {
		return this.sessions.session() != null;
	}

	/** Whether this kernel has no device that it may return to. */
	boolean isPlannedOnCpu() {
		return this.placement.isPlannedOnCpu();
	}

	/** Waits until no request is in flight, or until a {@link System#nanoTime()}. */
	boolean awaitIdle(long deadline) throws InterruptedException {
		KernelSession<I, O> current = this.sessions.session();
		return current == null || current.ring().inFlight().awaitNone(deadline);
	}

	/** Whether there is no ring, and no handler of the one that was is at work. */
	boolean isAtRest() {
		return this.sessions.isAtRest();
	}

	/** Has something done while no request is handled. */
	void atRest(String command, Runnable action) {
		this.lifecycle.atRest(command, action);
	}

	@Override
	public void snapshot(Path file) {
		this.lifecycle.snapshot(file);
	}

	@Override
	public void restore(Path file) {
		this.lifecycle.restore(file);
	}

	@Override
	public Optional<DeviceMemory> allocate(long bytes) {
		if (bytes <= 0) {
			throw new IllegalArgumentException("bytes is " + bytes + "; it must be positive");
		}
		return this.placement.allocate(bytes);
	}

	@Override
	public Optional<StateOrigin> stateOrigin() {
		return Optional.ofNullable(this.lifecycle.stateOrigin());
	}

	@Override
	public KernelStatus status() {
		KernelSession<I, O> current = this.sessions.session();
		if (current != null && current.loop().failure() != null) {
			this.sessions.onLoopBroken();
		}
		return this.status.read(state(), plan(), current, this.sessions.lastFailure());
	}

	@Override
	public Optional<KernelDump> dump() {
		return Optional.ofNullable(this.sessions.session())
			.map((current) -> new DumpReader(this.spec, current.region()).read());
	}

	@Override
	public KernelTimings timings() {
		return this.timings;
	}

	@Override
	public Optional<DeviceTimes> deviceTimes() {
		KernelSession<I, O> current = this.sessions.session();
		long hertz = (current != null) ? current.loop().clockHertz() : 0;
		if (current == null || hertz == 0) {
			return Optional.empty();
		}
		DeviceTimes times = DeviceTimes.of(current.region().control().deviceTicks(), hertz);
		return (times.count() > 0) ? Optional.of(times) : Optional.empty();
	}

	@Override
	public Map<String, Object> launchParameters() {
		KernelSession<I, O> current = this.sessions.session();
		return (current != null) ? current.loop().launchParameters() : Map.of();
	}

	@Override
	public List<KernelError> latestErrors() {
		return this.counters.latestErrors();
	}

	@Override
	public String toString() {
		return "ring kernel '%s'".formatted(id());
	}

}
