package io.ringkernel.cuda;

import io.ringkernel.cuda.driver.DevicePointer;

/**
 * The device memory of one session, in one piece: what workers and blocks keep between
 * launches, what the handler keeps, and where messages are made contiguous.
 *
 * @param base its address
 * @param stateBytes of workers and blocks; at the base
 * @param userBytes of the handler
 * @param stagingBytes of messages
 */
record SessionMemory(DevicePointer base, long stateBytes, long userBytes, long stagingBytes) {

	private static final long ALIGNMENT = 256;

	static SessionMemory layout(KernelInfo info, WorkerGrid grid) {
		long state = (long) grid.blocks() * info.stateBytesPerBlock()
				+ (long) grid.workers() * info.stateBytesPerWorker();
		long staging = (long) grid.workers() * info.stagingBytesPerWorker();
		return new SessionMemory(new DevicePointer(0), aligned(state), aligned(info.userStateBytes()),
				aligned(staging));
	}

	private static long aligned(long bytes) {
		return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}

	SessionMemory at(DevicePointer address) {
		return new SessionMemory(address, this.stateBytes, this.userBytes, this.stagingBytes);
	}

	long bytes() {
		return Math.max(ALIGNMENT, this.stateBytes + this.userBytes + this.stagingBytes);
	}

	DevicePointer user() {
		return (this.userBytes > 0) ? this.base.plus(this.stateBytes) : new DevicePointer(0);
	}

	DevicePointer staging() {
		return this.base.plus(this.stateBytes + this.userBytes);
	}

}
