package io.ringkernel.cuda.load;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;

import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;

/**
 * The state that an image keeps in device memory, as one field. Its kernel has ended, and
 * its stream is free for copies.
 */
final class DeviceState implements KernelMemory {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final LoadedKernel kernel;

	private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);

	DeviceState(LoadedKernel kernel) {
		this.kernel = kernel;
	}

	@Override
	public List<StateField> fields() {
		long bytes = this.kernel.memory().userBytes();
		return (bytes > 0) ? List.of(new StateField("state", "image", bytes)) : List.of();
	}

	@Override
	public void read(int field, long offset, ByteBuffer target) {
		this.piece.clear().limit(target.remaining());
		this.kernel.context().download(this.piece, at(offset), this.kernel.stream());
		await();
		target.put(this.piece);
	}

	@Override
	public void write(int field, long offset, ByteBuffer source) {
		this.piece.clear().put(source).flip();
		this.kernel.context().upload(at(offset), this.piece, this.kernel.stream());
		await();
	}

	private DevicePointer at(long offset) {
		return this.kernel.memory().user().plus(offset);
	}

	private void await() {
		Deadline.await("a copy", this.kernel.context(), this.kernel.stream(), PATIENCE);
	}

}
