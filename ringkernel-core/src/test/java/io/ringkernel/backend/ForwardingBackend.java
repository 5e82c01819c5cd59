package io.ringkernel.backend;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

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
	public RingMemory adopt(RingMemory shared) {
		return this.backend.adopt(shared);
	}

	@Override
	public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
		return this.backend.load(kernel, region);
	}

	@Override
	public void prepare(KernelSpec<?, ?> kernel, RingMemory memory) {
		this.backend.prepare(kernel, memory);
	}

	@Override
	public Optional<DeviceMemory> allocateOnDevice(String kernelId, long bytes) {
		return this.backend.allocateOnDevice(kernelId, bytes);
	}

	@Override
	public @Nullable Throwable failure() {
		return this.backend.failure();
	}

	@Override
	public boolean isRecoverable() {
		return this.backend.isRecoverable();
	}

	@Override
	public boolean recover(String kernelId) {
		return this.backend.recover(kernelId);
	}

	@Override
	public void close() {
		this.backend.close();
	}

}
