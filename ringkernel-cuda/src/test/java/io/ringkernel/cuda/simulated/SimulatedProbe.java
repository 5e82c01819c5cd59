package io.ringkernel.cuda.simulated;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.cuda.probe.ProbeConversation;

/**
 * The probe kernel in Java: tells that it runs, waits for a question and repeats it.
 */
final class SimulatedProbe {

	static final String ENTRY = "probe";

	private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private SimulatedProbe() {
	}

	static boolean isImage(byte[] image) {
		return new String(image, java.nio.charset.StandardCharsets.US_ASCII).contains(".entry " + ENTRY + "(");
	}

	/**
	 * A launch of it. It looks for the last time when it has waited, as the kernel does.
	 * @param hears whether it sees what is written while it runs
	 */
	static Runnable kernel(ByteBuffer conversation, long waitNanos, boolean hears) {
		return () -> {
			long before = (long) LONG.getVolatile(conversation, 0);
			LONG.setVolatile(conversation, ProbeConversation.STARTED, 1L);
			long end = System.nanoTime() + waitNanos;
			long question = before;
			boolean hasWaited = false;
			while (question == 0 && !hasWaited) {
				Thread.yield();
				hasWaited = System.nanoTime() - end >= 0;
				question = hears ? (long) LONG.getVolatile(conversation, 0) : before;
			}
			LONG.setVolatile(conversation, ProbeConversation.ANSWER, question);
		};
	}

}
