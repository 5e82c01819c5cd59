package io.ringkernel.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.state.KernelMemory;

/**
 * The state of a handler on the CPU that was not saved as its kernel ended.
 *
 * @param after how often the state had changed by then: a snapshot that was begun before
 * may still be saved later
 */
record Unsaved(KernelMemory state, long after) {

	static final String REASON = "it is that of the handler, which was not saved when the kernel ended";

	/**
	 * Gives the state to what goes on, if that keeps the same fields. On the CPU it has
	 * the state already, and gets it once more.
	 * @return whether it has the state now
	 */
	boolean giveTo(KernelMemory next) {
		if (!this.state.fields().equals(next.fields())) {
			return false;
		}
		ByteBuffer piece = ByteBuffer.allocateDirect(KernelMemory.PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
		for (int field = 0; field < this.state.fields().size(); field++) {
			long bytes = this.state.fields().get(field).bytes();
			for (long at = 0; at < bytes; at += KernelMemory.PIECE_BYTES) {
				piece.clear().limit((int) Math.min(KernelMemory.PIECE_BYTES, bytes - at));
				this.state.read(field, at, piece);
				next.write(field, at, piece.rewind());
			}
		}
		return true;
	}

}
