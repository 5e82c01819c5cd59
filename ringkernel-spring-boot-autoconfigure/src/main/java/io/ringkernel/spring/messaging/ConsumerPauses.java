package io.ringkernel.spring.messaging;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.ringkernel.KernelState;
import io.ringkernel.routing.Routing;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelRemoval;
import io.ringkernel.runtime.KernelStateChange;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.KernelSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Pauses the consumers of a kernel while it takes no requests: messages then stay where
 * they are, instead of being delivered to a kernel that refuses them, again and again. A
 * consumer that was paused by other means is left alone.
 * <p>
 * A kernel takes requests if it is active; one with replicas, if any of them is or, if
 * requests are routed by key, if all of them are.
 *
 * @since 0.2.0
 */
public class ConsumerPauses implements KernelListener, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ConsumerPauses.class);

	private final RingKernelRuntime runtime;

	private final KernelSettings settings;

	private final List<PausableConsumers> consumers;

	/** Those that were paused here, by name. */
	private final Map<String, PausableConsumers> paused = new HashMap<>();

	private boolean running;

	/**
	 * Creates it.
	 * @param runtime the kernels
	 * @param settings which consumers they have
	 * @param consumers the consumers
	 */
	public ConsumerPauses(RingKernelRuntime runtime, KernelSettings settings, List<PausableConsumers> consumers) {
		this.runtime = runtime;
		this.settings = settings;
		this.consumers = List.copyOf(consumers);
	}

	@Override
	public void onEvent(KernelEvent event) {
		if (event instanceof KernelStateChange || event instanceof KernelRemoval) {
			update();
		}
	}

	/** Pauses and resumes what is to be now. */
	private synchronized void update() {
		if (!this.running) {
			return;
		}
		Map<String, String> reasons = reasons();
		Set<String> names = new TreeSet<>(this.paused.keySet());
		names.removeAll(reasons.keySet());
		names.forEach(this::resume);
		reasons.forEach(this::pause);
	}

	/** Why consumers are to be paused, by name. */
	private Map<String, String> reasons() {
		Map<String, String> reasons = new LinkedHashMap<>();
		for (Kernel<?, ?> kernel : this.runtime.kernels()) {
			if (!takesRequests(kernel)) {
				consumersOf(kernel.id()).forEach((name) -> reasons.putIfAbsent(name,
						"ring kernel '%s' takes no requests: it is %s".formatted(kernel.id(), kernel.state())));
			}
		}
		return reasons;
	}

	private static boolean takesRequests(Kernel<?, ?> kernel) {
		Collection<KernelState> states = kernel.replicas().stream().<KernelState>map(Kernel::state).toList();
		return (kernel.routing() == Routing.KEY) ? states.stream().allMatch(KernelState.ACTIVE::equals)
				: states.contains(KernelState.ACTIVE);
	}

	/** Those that are configured, and the bindings of the kernel's functions. */
	private Set<String> consumersOf(String kernelId) {
		Set<String> names = new TreeSet<>(this.settings.consumersOf(kernelId));
		names.add(kernelId + "-function-in-0");
		names.add(kernelId + "-batch-function-in-0");
		return names;
	}

	private void pause(String name, String reason) {
		if (this.paused.containsKey(name)) {
			return;
		}
		Optional<PausableConsumers> owner = this.consumers.stream().filter((some) -> some.contains(name)).findFirst();
		owner.filter((found) -> found.pause(name)).ifPresent((found) -> {
			this.paused.put(name, found);
			logger.info("The consumer '{}' is paused, because {}", name, reason);
		});
	}

	private void resume(String name) {
		PausableConsumers owner = this.paused.remove(name);
		if (owner != null && owner.contains(name)) {
			owner.resume(name);
			logger.info("The consumer '{}' goes on", name);
		}
	}

	@Override
	public synchronized void start() {
		this.running = true;
		update();
	}

	/** Leaves the consumers as they are. They are stopped next. */
	@Override
	public synchronized void stop() {
		this.running = false;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	/**
	 * After the consumers have started, which a pause waits for, and before they stop.
	 */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE;
	}

}
