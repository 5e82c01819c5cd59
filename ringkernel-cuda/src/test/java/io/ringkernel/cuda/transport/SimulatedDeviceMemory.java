package io.ringkernel.cuda.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * Memory that only copies reach, which are made as late as they may be: when they are
 * waited for. As on a device, sixteen bytes move at once.
 */
final class SimulatedDeviceMemory implements RegionCopies {

	private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int UNIT = 16;

	private final MessageBuffer memory;

	private final Deque<Runnable> underWay = new ArrayDeque<>();

	private final List<Copied> toDevice = new ArrayList<>();

	private final List<Copied> toHost = new ArrayList<>();

	/**
	 * One copy.
	 */
	record Copied(int offset, int bytes) {
	}

	SimulatedDeviceMemory(int bytes) {
		this.memory = MessageBuffer.allocate(bytes);
	}

	MessageBuffer memory() {
		return this.memory;
	}

	@Override
	public void toDevice(MessageBuffer source, int offset, int bytes) {
		this.toDevice.add(new Copied(offset, bytes));
		this.underWay.add(() -> copy(source.bytes(), this.memory.bytes(), offset, bytes));
	}

	@Override
	public void toHost(MessageBuffer target, int offset, int bytes) {
		this.toHost.add(new Copied(offset, bytes));
		this.underWay.add(() -> copy(this.memory.bytes(), target.bytes(), offset, bytes));
	}

	/**
	 * The second word first: where it has the tag that is looked for, so has the first.
	 */
	private static void copy(ByteBuffer source, ByteBuffer target, int offset, int bytes) {
		int at = offset;
		for (; at + UNIT <= offset + bytes; at += UNIT) {
			long second = (long) WORD.getAcquire(source, at + Long.BYTES);
			target.putLong(at, source.getLong(at));
			WORD.setRelease(target, at + Long.BYTES, second);
		}
		if (at < offset + bytes) {
			WORD.setRelease(target, at, (long) WORD.getAcquire(source, at));
		}
	}

	void await() {
		for (Runnable copy = this.underWay.poll(); copy != null; copy = this.underWay.poll()) {
			copy.run();
		}
	}

	/**
	 * The copies since the last time.
	 */
	List<Copied> takeToDevice() {
		List<Copied> taken = List.copyOf(this.toDevice);
		this.toDevice.clear();
		return taken;
	}

	List<Copied> takeToHost() {
		List<Copied> taken = List.copyOf(this.toHost);
		this.toHost.clear();
		return taken;
	}

}
