package io.ringkernel.test.ptx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies between host and device. As on a device, sixteen bytes move at once: the second
 * half is read first, and written last.
 */
final class Copies {

	private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int UNIT = 16;

	private Copies() {
	}

	static void copy(ByteBuffer source, ByteBuffer target) {
		int bytes = source.capacity();
		int at = 0;
		for (; at + UNIT <= bytes; at += UNIT) {
			long second = (long) WORD.getAcquire(source, at + Long.BYTES);
			long first = (long) WORD.getAcquire(source, at);
			WORD.setRelease(target, at, first);
			WORD.setRelease(target, at + Long.BYTES, second);
		}
		for (; at < bytes; at++) {
			target.put(at, source.get(at));
		}
	}

	static void zero(ByteBuffer memory) {
		for (int at = 0; at < memory.capacity(); at++) {
			memory.put(at, (byte) 0);
		}
	}

}
