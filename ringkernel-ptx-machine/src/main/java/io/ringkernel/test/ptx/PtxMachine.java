package io.ringkernel.test.ptx;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.test.ptx.machine.Clock;
import io.ringkernel.test.ptx.machine.PtxFault;

/**
 * A machine with one device that interprets PTX: images of kernels, and handlers that are
 * linked with the worker of the library. Everything above the driver is the product.
 * <p>
 * A kernel that accesses memory which is not there, waits for ever or traps loses the
 * device, as on a GPU. {@link #faults()} then says what it did, in which thread and in
 * which line of PTX.
 *
 * @since 0.2.0
 */
public final class PtxMachine implements AutoCloseable {

	private final List<PtxFault> faults = new CopyOnWriteArrayList<>();

	private final MachineContext context;

	/** Creates a machine whose kernels see the time of the host. */
	public PtxMachine() {
		this(Clock.real());
	}

	/**
	 * Creates a machine whose kernels see another time: one that passes a thousand times
	 * as fast shows what a kernel does on a device that is as much slower.
	 * @param clock their time
	 */
	public PtxMachine(Clock clock) {
		this(clock, false);
	}

	/**
	 * Creates a machine that looks for races between warps as well.
	 * @param amongWarps whether it does: only where each block has a single worker
	 */
	PtxMachine(Clock clock, boolean amongWarps) {
		this.context = new MachineContext(this.faults::add, clock, amongWarps);
	}

	/**
	 * {@return the CUDA backend on this machine}
	 */
	public BackendProvider provider() {
		return new CudaBackendProvider(driver());
	}

	/**
	 * {@return the driver of this machine, whose calls are made on a thread of their own}
	 */
	public CudaDriver driver() {
		return CudaDriver.bounded(new MachineDriver(this.context));
	}

	/**
	 * What kernels did that no kernel may do.
	 * @return the faults, in the order in which they came about; empty if all is well
	 */
	public List<PtxFault> faults() {
		return List.copyOf(this.faults);
	}

	/** Stops all kernels where they stand. */
	@Override
	public void close() {
		this.context.close();
	}

}
