package io.ringkernel.cuda;

import java.util.Optional;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.loop.CudaLoop;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.OutOfDeviceMemoryException;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * Runs kernels on a CUDA device, as a plan says.
 */
record CudaBackend(CudaDevice device, ExecutionPlan plan) implements Backend {

	@Override
	public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
		return CudaRingMemory.allocate(this.device.resources(), kernel.id(), bytes);
	}

	@Override
	public RingMemory adopt(RingMemory shared) {
		return CudaRingMemory.over(this.device.resources(), shared.buffer().bytes());
	}

	@Override
	public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
		DeviceLoop before = region.before();
		if (!(region.memory() instanceof CudaRingMemory memory)) {
			if (before != null) {
				throw new UnsupportedOperationException("its ring lies in memory that the device does not reach");
			}
			throw new KernelLaunchException(kernel.id(),
					"its ring memory is not this backend's. Lay the region out in memory that allocate returned.",
					null);
		}
		if (before instanceof CudaLoop loop && mayKeep(loop)) {
			return this.device.takeOver(kernel, region, memory, loop, this.plan.mode(), this.plan.transport());
		}
		return this.device.load(kernel, region, memory, this.plan.mode(), this.plan.transport());
	}

	@Override
	public void prepare(KernelSpec<?, ?> kernel, RingMemory memory) {
		this.device.prepare(kernel, this.plan.mode(), this.plan.transport());
	}

	@Override
	public Optional<DeviceMemory> allocateOnDevice(String kernelId, long bytes) {
		try {
			return Optional.of(CudaDeviceMemory.allocate(this.device, bytes));
		}
		catch (CudaException ex) {
			throw ex.status().isOutOfMemory() ? new OutOfDeviceMemoryException(kernelId, bytes, ex) : ex;
		}
	}

	/**
	 * Whether the kernel stays loaded, and its workers keep their places in the ring:
	 * then only how it is launched changes, and how the ring gets to it. What a bridge
	 * has not brought back yet is with the device alone, so after one the kernel is
	 * loaded anew.
	 */
	private boolean mayKeep(CudaLoop before) {
		LoadedKernel kernel = before.kernel();
		return !kernel.transport().carries() && kernel.context().equals(this.device.context())
				&& this.device.lost() == null;
	}

	@Override
	public @Nullable Throwable failure() {
		return this.device.lost();
	}

	/** The device belongs to the process and stays open. */
	@Override
	public void close() {
		this.device.resources().reclaim();
	}

}
