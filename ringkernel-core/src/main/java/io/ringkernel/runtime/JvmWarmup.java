package io.ringkernel.runtime;

import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.PlanRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one throwaway kernel to warm up the JVM. The first start of a kernel in a process
 * spends most of its time on Java code that has not run before: on two cores, it takes
 * 270 ms or more, and 20 ms or less behind this. A backend can call this on the thread
 * that waits for its device to open.
 *
 * @since 0.1.0
 */
public final class JvmWarmup {

	private static final Logger logger = LoggerFactory.getLogger(JvmWarmup.class);

	/** Enough for some slots. */
	private static final long RING_MEMORY = 16 << 10;

	private JvmWarmup() {
	}

	/**
	 * Defines a kernel, launches, activates and terminates it. A failure is logged at
	 * level DEBUG and has no other effect.
	 * @param provider of a backend that needs no device
	 */
	public static void on(BackendProvider provider) {
		PlanRequest request = new PlanRequest(provider.kind(), null, null);
		try (RingKernelRuntime runtime = new RingKernelRuntime(request, new Planner(List.of(provider)))) {
			KernelOptions options = KernelOptions.builder().workers(1).ringMemory(RING_MEMORY).build();
			Kernel<Message, Message> kernel = runtime
				.define(KernelSpec.of("jvm-warmup", Message.class, Message.class, (message) -> message, options));
			kernel.launch();
			kernel.activate();
		}
		catch (RingKernelException ex) {
			logger.debug("The kernel that warms up the JVM failed", ex);
		}
	}

	private record Message(long number, @Capacity(16) float[] values) {
	}

}
