package io.ringkernel.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.KernelQuarantined;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * Plays a kernel host that runs nothing, and is lost and started as a test has it.
 */
public final class HostedDevice implements BackendProvider {

	/** How the host ends. */
	public static final String EXIT = "process 7, exit status 137: its socket is closed";

	private static final HostStatus SOUND = new HostStatus(7, Instant.now(), List.of(0), 0, 0, Duration.ZERO, null,
			Set.of());

	private final List<Consumer<HostEvent>> listeners = new CopyOnWriteArrayList<>();

	private volatile HostStatus status = SOUND;

	/**
	 * Ends the host.
	 */
	public void lose() {
		this.status = new HostStatus(0, null, List.of(0), 1, 0, Duration.ofSeconds(1), EXIT, Set.of());
		tell(new KernelHostLost(7, EXIT, Set.of("twice")));
	}

	/**
	 * Starts another host, without a kernel.
	 */
	public void restart() {
		this.status = new HostStatus(8, Instant.now(), List.of(0), 1, 1, Duration.ofSeconds(2), EXIT, Set.of("twice"));
		tell(new KernelHostRestarted(8, Duration.ofSeconds(2)));
		tell(new KernelQuarantined("twice", EXIT));
	}

	/**
	 * How many listeners there are.
	 */
	public int listeners() {
		return this.listeners.size();
	}

	private void tell(HostEvent event) {
		this.listeners.forEach((listener) -> listener.accept(event));
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return new PlanOffer.Refused("it is only played", "Use the CPU.");
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		throw new UnsupportedOperationException("it is only played");
	}

	@Override
	public List<HostStatus> hosts() {
		return List.of(this.status);
	}

	@Override
	public void addHostListener(Consumer<HostEvent> listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeHostListener(Consumer<HostEvent> listener) {
		this.listeners.remove(listener);
	}

}
