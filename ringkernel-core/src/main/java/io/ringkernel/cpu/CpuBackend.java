package io.ringkernel.cpu;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.state.HandlerParts;

/**
 * Runs the device loop in Java threads over direct memory.
 *
 * @since 0.1.0
 */
public final class CpuBackend implements Backend {

	private static final long EVENT_DRIVEN_KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final ExecutionMode mode;

	/**
	 * Creates the backend.
	 * @param mode how its loops are kept running
	 */
	public CpuBackend(ExecutionMode mode) {
		this.mode = mode;
	}

	@Override
	public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
		try {
			return RingMemory.direct(bytes);
		}
		catch (OutOfMemoryError ex) {
			throw new KernelLaunchException(kernel.id(),
					"%d B of direct memory are not to be had. Lower ring-memory, or raise -XX:MaxDirectMemorySize."
						.formatted(bytes),
					ex);
		}
	}

	@Override
	public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
		region.notes().contexts().open();
		boolean persistent = this.mode == ExecutionMode.PERSISTENT;
		return new CpuDeviceLoop(kernel.id(), new RequestProcessor<>(kernel, region), region.control(),
				kernel.options(), new HandlerThreads(loaderOf(kernel.handler())),
				persistent ? Long.MAX_VALUE : EVENT_DRIVEN_KEEP_ALIVE_NANOS);
	}

	/**
	 * The class loader of a handler. Pipelines, and others that are classes of
	 * RingKernel, have that of the first handler which they consist of and which has
	 * another one.
	 */
	private static ClassLoader loaderOf(RingKernelHandler<?, ?> handler) {
		ClassLoader own = RingKernelHandler.class.getClassLoader();
		return new HandlerParts(handler).paths()
			.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByValue())
			.map((part) -> part.getKey().getClass().getClassLoader())
			.filter((loader) -> loader != null && !loader.equals(own))
			.findFirst()
			.orElse(own);
	}

	@Override
	public void close() {
		// Each loop closes its own threads.
	}

}
