package io.ringkernel.cpu;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.platform.ExecutionMode;

/**
 * Runs the device loop in Java threads over direct memory.
 */
public final class CpuBackend implements Backend {

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
		return loop(kernel, region, new RequestProcessor<>(kernel, region));
	}

	@Override
	public <I extends Record, O extends Record> DeviceLoop takeOver(KernelSpec<I, O> kernel, KernelRegion region,
			DeviceLoop before) {
		return loop(kernel, region, RequestProcessor.takeOver(kernel, region));
	}

	private DeviceLoop loop(KernelSpec<?, ?> kernel, KernelRegion region, RequestProcessor<?, ?> processor) {
		Workers workers = (this.mode == ExecutionMode.PERSISTENT) ? new RestingWorkers(kernel.id())
				: new PooledWorkers(kernel.id());
		return new CpuDeviceLoop(processor, region.control(), kernel.options(), workers,
				this.mode == ExecutionMode.EVENT_DRIVEN);
	}

	@Override
	public void close() {
		// Each loop closes its own threads.
	}

}
