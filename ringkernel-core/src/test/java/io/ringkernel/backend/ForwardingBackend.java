package io.ringkernel.backend;

/**
 * A backend that does what another one does, for tests that have one thing done
 * otherwise.
 */
public abstract class ForwardingBackend implements Backend {

	private final Backend backend;

	protected ForwardingBackend(Backend backend) {
		this.backend = backend;
	}

	@Override
	public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
		return this.backend.allocate(kernel, bytes);
	}

	@Override
	public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
		return this.backend.load(kernel, region);
	}

	@Override
	public void close() {
		this.backend.close();
	}

}
