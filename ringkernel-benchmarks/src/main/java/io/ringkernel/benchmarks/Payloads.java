package io.ringkernel.benchmarks;

/**
 * Prepared payloads, handed out in turn, so that an echo of an earlier one is never taken
 * for that of the last. For one thread.
 */
final class Payloads {

	/** How many there are, and how many the pipelined benchmarks keep in flight. */
	static final int COUNT = 256;

	private final Payload[] payloads = Payload.distinct(COUNT);

	private long sent;

	/** Returns the payload to send next. */
	Payload next() {
		return at(this.sent++);
	}

	/** Returns the payload that was sent as the given one, counted from 0. */
	Payload at(long position) {
		return this.payloads[(int) position & (COUNT - 1)];
	}

}
