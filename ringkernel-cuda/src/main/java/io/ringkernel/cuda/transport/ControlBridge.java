package io.ringkernel.cuda.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.ControlLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.RingLayout;

/**
 * Keeps the control block in step: what the host commands goes to the device, what the
 * workers tell comes back.
 */
final class ControlBridge {

	private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private final ByteBuffer host;

	private final MessageBuffer imageMemory;

	private final ByteBuffer image;

	private final int workers;

	private final RegionCopies copies;

	ControlBridge(MessageBuffer memory, MessageBuffer image, int workers, RegionCopies copies) {
		this.host = memory.bytes();
		this.imageMemory = image;
		this.image = image.bytes();
		this.workers = workers;
		this.copies = copies;
	}

	/**
	 * Sends the control block in whole, before the first launch: the workers count on
	 * from what their lines tell.
	 */
	void identify() {
		this.image.put(0, this.host, 0, ControlLayout.HOST_LINE);
		this.image.put(ControlLayout.WORKER_LINES, this.host, ControlLayout.WORKER_LINES,
				this.workers * RingLayout.LINE_BYTES);
		takeHostLine();
		this.copies.toDevice(this.imageMemory, 0, ControlBlock.bytes(this.workers));
	}

	/**
	 * Sends the host's line if it has changed. It is the image that is sent: whatever is
	 * commanded meanwhile differs from what was sent and follows.
	 */
	boolean forward() {
		boolean changed = takeHostLine();
		if (changed) {
			this.copies.toDevice(this.imageMemory, ControlLayout.HOST_LINE, RingLayout.LINE_BYTES);
		}
		return changed;
	}

	private boolean takeHostLine() {
		boolean changed = false;
		int end = ControlLayout.HOST_LINE + RingLayout.LINE_BYTES;
		for (int at = ControlLayout.HOST_LINE; at < end; at += Long.BYTES) {
			long word = (long) LONG.getAcquire(this.host, at);
			changed |= word != this.image.getLong(at);
			this.image.putLong(at, word);
		}
		return changed;
	}

	void fetch() {
		this.copies.toHost(this.imageMemory, ControlLayout.WORKER_LINES, this.workers * RingLayout.LINE_BYTES);
	}

	/**
	 * Shows the host what was fetched. It is for display and supervision, and orders
	 * nothing.
	 */
	void deliver() {
		for (int worker = 0; worker < this.workers; worker++) {
			int line = ControlLayout.workerLine(worker);
			for (int at = line; at < line + RingLayout.LINE_BYTES; at += Long.BYTES) {
				LONG.setOpaque(this.host, at, this.image.getLong(at));
			}
		}
	}

}
