package io.ringkernel.runtime;

import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a kernel, for nothing but to have been lived: most of what the first start
 * of a kernel in a process takes is Java that runs for the first time. A backend whose
 * device takes its time to open can have the thread that waits for it do this meanwhile.
 */
public final class Rehearsal {

	private static final Logger logger = LoggerFactory.getLogger(Rehearsal.class);

	/** Enough for some slots; it is garbage soon. */
	private static final long RING_MEMORY = 16 << 10;

	private Rehearsal() {
	}

	/**
	 * Defines a kernel, launches, activates and terminates it. What comes afterwards does
	 * not depend on it: a failure is logged as one of debugging.
	 * @param provider of a backend that needs no device
	 */
	public static void on(BackendProvider provider) {
		PlanRequest request = new PlanRequest(provider.kind(), null, null);
		try (RingKernelRuntime runtime = new RingKernelRuntime(request, new Planner(List.of(provider)))) {
			KernelOptions options = KernelOptions.DEFAULTS.withWorkers(1).withRingMemory(RING_MEMORY);
			Kernel<Message, Message> kernel = runtime
				.define(KernelSpec.of("rehearsal", Message.class, Message.class, (message) -> message, options));
			kernel.launch();
			kernel.activate();
		}
		catch (RingKernelException ex) {
			logger.debug("A rehearsal has failed", ex);
		}
	}

	private record Message(long number, @Capacity(16) float[] values) {
	}

}
