package io.ringkernel.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ringkernel.IllegalKernelStateException;
import io.ringkernel.KernelLaunchException;
import io.ringkernel.KernelState;
import io.ringkernel.KernelStuckException;
import io.ringkernel.KernelTerminatedException;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.DumpReader;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.observe.KernelDump;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.StatusReader;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.session.KernelClient;
import io.ringkernel.session.KernelSession;

/**
 * One ring kernel and its life, as {@link KernelState} draws it. Lifecycle operations
 * exclude each other; each is bounded in time by the kernel's stop and drain timeouts.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.1.0
 */
public final class Kernel<I extends Record, O extends Record> {

	private final KernelSpec<I, O> spec;

	private final KernelLifecycle<I, O> lifecycle;

	private final RingKernelClient<I, O> client;

	private final KernelCounters counters = new KernelCounters();

	private final KernelTimings timings;

	private final StatusReader status;

	Kernel(KernelSpec<I, O> spec, PlannedBackend planned, PlannedBackend.Successors successors, KernelEvents events) {
		this.spec = spec;
		this.timings = new KernelTimings(spec.id());
		this.status = new StatusReader(spec, this.counters);
		this.lifecycle = new KernelLifecycle<>(this, new KernelPlacement(this, planned, successors, events),
				this.counters, this.timings, events);
		this.client = new KernelClient<>(spec.id(), this.lifecycle::activeSession, spec.options());
	}

	/**
	 * The id of this kernel.
	 * @return the id
	 */
	public String id() {
		return this.spec.id();
	}

	/**
	 * How this kernel is defined.
	 * @return the definition
	 */
	public KernelSpec<I, O> spec() {
		return this.spec;
	}

	/**
	 * The state of this kernel.
	 * @return the state
	 */
	public KernelState state() {
		return this.lifecycle.state();
	}

	/**
	 * Whether this process has lost the device of this kernel, and the configuration
	 * admits nothing else to run it on. A relaunch does not help then. Calls no driver.
	 * @return whether only a restart of the application helps
	 * @since 0.2.0
	 */
	public boolean isDeviceLost() {
		return this.lifecycle.isLost();
	}

	/**
	 * How this kernel is run now: as it was planned, or in the best way that is left
	 * where the platform did not do what that relies on.
	 * @return the plan
	 */
	public ExecutionPlan plan() {
		return this.lifecycle.plan();
	}

	/**
	 * The client of this kernel; the same for all its launches.
	 * @return the client
	 */
	public RingKernelClient<I, O> client() {
		return this.client;
	}

	/**
	 * Gives the kernel its memory, validates and loads it: {@link KernelState#LAUNCHED
	 * LAUNCHED}.
	 * @throws KernelLaunchException if it cannot be launched; it is then
	 * {@link KernelState#FAILED}
	 * @throws IllegalKernelStateException if it is launched already
	 */
	public void launch() {
		this.lifecycle.launch();
	}

	/**
	 * Starts the loop and takes requests: {@link KernelState#ACTIVE ACTIVE}. What was
	 * queued when the kernel was deactivated is answered now.
	 * @throws KernelLaunchException if the loop cannot be started
	 * @throws IllegalKernelStateException if it is neither launched nor inactive
	 */
	public void activate() {
		this.lifecycle.activate();
	}

	/**
	 * Takes no more requests and stops the loop: {@link KernelState#INACTIVE INACTIVE}.
	 * What has been begun is finished, what is queued stays queued and its timeouts run
	 * on.
	 * @throws KernelStuckException if a handler is still at work after the stop timeout;
	 * the kernel is inactive all the same, and its loop stops as soon as it can
	 * @throws IllegalKernelStateException if it is not active
	 */
	public void deactivate() {
		this.lifecycle.deactivate();
	}

	/**
	 * Takes no more requests, waits for those in flight, stops the loop and gives
	 * everything back: {@link KernelState#TERMINATED TERMINATED}. What is not answered by
	 * then fails with a {@link io.ringkernel.KernelTerminatedException}. Terminating a
	 * terminated kernel does nothing.
	 * @throws KernelStuckException if the loop did not stop in time; the kernel is then
	 * {@link KernelState#FAILED}, and its memory is kept until the loop has stopped
	 */
	public void terminate() {
		this.lifecycle.terminate();
	}

	/**
	 * Terminates the kernel if it runs, then launches and activates it anew. What it
	 * holds in its ring does not survive; what is in flight is waited for as by
	 * {@link #terminate}.
	 */
	public void relaunch() {
		this.lifecycle.relaunch();
	}

	/**
	 * The kernel at this moment. Calls no driver and waits for nobody; a loop that broke
	 * while nobody waited for it is noticed here.
	 * @return its status
	 */
	public KernelStatus status() {
		KernelSession<I, O> current = this.lifecycle.session();
		if (current != null && current.loop().failure() != null) {
			this.lifecycle.onLoopBroken();
		}
		return this.status.read(state(), plan(), current, this.lifecycle.lastFailure());
	}

	/**
	 * What lies in the memory of this kernel. Only loads from it: those at work notice no
	 * more than cache lines that another core has read.
	 * @return a dump; nothing while the kernel has no memory
	 */
	public Optional<KernelDump> dump() {
		return Optional.ofNullable(this.lifecycle.session())
			.map((current) -> new DumpReader(this.spec, current.region()).read());
	}

	/**
	 * How long its requests take.
	 * @return the times, over all launches
	 */
	public KernelTimings timings() {
		return this.timings;
	}

	/**
	 * What requests took on the device, in this launch. Calls no driver.
	 * @return the times; nothing where kernels run on no device, or no worker has told of
	 * any yet
	 */
	public Optional<DeviceTimes> deviceTimes() {
		KernelSession<I, O> current = this.lifecycle.session();
		long hertz = (current != null) ? current.loop().clockHertz() : 0;
		if (current == null || hertz == 0) {
			return Optional.empty();
		}
		DeviceTimes times = DeviceTimes.of(current.region().control().deviceTicks(), hertz);
		return (times.count() > 0) ? Optional.of(times) : Optional.empty();
	}

	/**
	 * What the kernel is launched with on its device, for display. Calls no driver.
	 * @return names and values: grid, registers, occupancy, image; none on the CPU, or
	 * while the kernel is not launched
	 * @since 0.2.0
	 */
	public Map<String, Object> launchParameters() {
		KernelSession<I, O> current = this.lifecycle.session();
		return (current != null) ? current.loop().launchParameters() : Map.of();
	}

	/**
	 * What went wrong lately: failures of the kernel, and of requests.
	 * @return the latest errors first
	 */
	public List<KernelError> latestErrors() {
		return this.counters.latestErrors();
	}

	@Override
	public String toString() {
		return "ring kernel '%s'".formatted(id());
	}

}
