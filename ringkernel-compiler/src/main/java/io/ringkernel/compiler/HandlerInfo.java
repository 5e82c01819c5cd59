package io.ringkernel.compiler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.message.MessageLayout;

/**
 * What a handler tells its host of itself. The counterpart is
 * {@code ringkernel::KernelInfo} in {@code ringkernel/abi.cuh}.
 */
final class HandlerInfo {

	private static final int BYTES = 80;

	private static final long MAGIC = 0x4c454e52_454b4b52L;

	/** A launch tells the worker of a handler the shape of its messages. */
	private static final int ERASED = 4;

	/** Workers that wait for a request look whether the handler calls them. */
	private static final int ASSISTED = 8;

	private HandlerInfo() {
	}

	static byte[] of(MessageLayout<?> requests, MessageLayout<?> responses, long stateBytes, int scratchBytes,
			boolean isAssisted) {
		ByteBuffer info = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
		info.putLong(0, MAGIC);
		info.putInt(8, ControlBlock.ABI_VERSION);
		info.putInt(12, BYTES);
		info.putLong(16, requests.fingerprint());
		info.putLong(24, responses.fingerprint());
		info.putInt(32, requests.fixedSize());
		info.putInt(36, requests.maxSize());
		info.putInt(40, responses.fixedSize());
		info.putInt(44, responses.maxSize());
		info.putInt(56, scratchBytes);
		info.putLong(64, stateBytes);
		info.putInt(76, ERASED | (isAssisted ? ASSISTED : 0));
		return info.array();
	}

}
