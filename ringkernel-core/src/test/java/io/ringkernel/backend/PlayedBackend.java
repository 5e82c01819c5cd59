package io.ringkernel.backend;

/**
 * A backend with memory of this process, for loops that a test defines.
 */
public abstract class PlayedBackend implements Backend {

	@Override
	public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
		return RingMemory.direct(bytes);
	}

	/** There is nothing to give back. */
	@Override
	public void close() {
	}

}
