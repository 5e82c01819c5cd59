package io.ringkernel.cuda.loop;

import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.memory.DeviceResources;

/**
 * What a loop holds besides its ring. All of it goes back once the loop is closed and its
 * kernel has ended, as soon as the driver takes it.
 */
final class LoopResources {

	private final DeviceResources resources;

	private final LoadedKernel kernel;

	LoopResources(DeviceResources resources, LoadedKernel kernel) {
		this.resources = resources;
		this.kernel = kernel;
	}

	/**
	 * How much memory of the device that is.
	 */
	long bytes() {
		return this.kernel.memory().bytes();
	}

	/**
	 * Gives it back; called once.
	 */
	void release() {
		if (this.kernel.graph() != null) {
			this.resources.destroyLater(this.kernel.graph());
		}
		this.resources.freeLater(this.kernel.memory().base());
		this.kernel.transport().release();
		this.resources.destroyLater(this.kernel.stream());
	}

}
