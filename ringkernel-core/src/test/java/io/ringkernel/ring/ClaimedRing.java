package io.ringkernel.ring;

import java.util.concurrent.TimeUnit;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * Rings whose slots are claimed and released without messages.
 */
final class ClaimedRing {

	private ClaimedRing() {
	}

	static HostRing of(int slots) {
		return of(slots, 0);
	}

	static HostRing of(int slots, long startPosition) {
		RingLayout layout = RingLayout.forSlots(0, slots, 64, 64);
		return new HostRing(MessageBuffer.allocate(layout.endOffset()), layout, startPosition);
	}

	/** All slots are in flight, from position 0 on. */
	static HostRing full(int slots) {
		HostRing ring = of(slots);
		for (int i = 0; i < slots; i++) {
			ring.claims().tryClaim();
		}
		return ring;
	}

	static long deadlineIn(long millis) {
		return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
