package io.ringkernel.cuda.probe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What host and probe kernel tell each other. <pre>
 *     0  question, written by the host: 0, then anything else   u64
 *   128  started, written by the device: 1 once it runs         u64
 *   136  answer: the question, once it is seen                  u64
 * </pre>
 *
 * @since 0.2.0
 */
public final class ProbeConversation {

	static final int BYTES = 4096;

	public static final int STARTED = 128;

	public static final int ANSWER = 136;

	private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private final ByteBuffer page;

	ProbeConversation() {
		this.page = ByteBuffer.allocateDirect(2 * BYTES).alignedSlice(BYTES).slice(0, BYTES);
	}

	ByteBuffer page() {
		return this.page;
	}

	/** Its lines, as they are copied to and from the device. */
	ByteBuffer lines() {
		return this.page.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(0).limit(ANSWER + Long.BYTES);
	}

	/**
	 * Begins anew.
	 * @param question 0 to have the kernel wait for one
	 */
	void begin(long question) {
		LONG.setVolatile(this.page, STARTED, 0L);
		LONG.setVolatile(this.page, ANSWER, 0L);
		ask(question);
	}

	void ask(long question) {
		LONG.setVolatile(this.page, 0, question);
	}

	boolean hasStarted() {
		return (long) LONG.getVolatile(this.page, STARTED) != 0;
	}

	long answer() {
		return (long) LONG.getVolatile(this.page, ANSWER);
	}

}
