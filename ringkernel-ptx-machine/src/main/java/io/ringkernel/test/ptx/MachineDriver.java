package io.ringkernel.test.ptx;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.DeviceProperties;

/** The driver of a machine with one device. */
final class MachineDriver implements CudaDriver {

	private static final int VERSION = 13_000;

	/** A cycle is a nanosecond. */
	private static final DeviceProperties DEVICE = new DeviceProperties("PTX machine", 9, 0,
			MachineContext.MULTIPROCESSORS, 1L << 32, 1024, 200_000, false, false, true, true, true, true, true,
			1_000_000_000);

	private final MachineContext context;

	MachineDriver(MachineContext context) {
		this.context = context;
	}

	@Override
	public int initialize() {
		return VERSION;
	}

	@Override
	public int deviceCount() {
		return 1;
	}

	@Override
	public DeviceProperties properties(int ordinal) {
		return DEVICE;
	}

	@Override
	public CudaContext open(int ordinal) {
		return this.context;
	}

}
