package io.ringkernel.spring.messaging;

import io.ringkernel.exception.RingKernelException;

/**
 * A message was encoded with another layout than that of the record that it is to become:
 * its sender has another version of the record, or sends another one.
 *
 * @since 0.2.0
 */
public class LayoutMismatchException extends RingKernelException {

	private final long found;

	private final long expected;

	/**
	 * Creates the exception.
	 * @param type the record that it is to become
	 * @param found the fingerprint of the layout that it was encoded with
	 * @param expected that of the layout of the record
	 */
	public LayoutMismatchException(Class<?> type, long found, long expected) {
		super("The message has the layout %016x; %s has %016x. Use the same record, with the same capacities, where the message is sent and where it is received."
			.formatted(found, type.getName(), expected), null);
		this.found = found;
		this.expected = expected;
	}

	/**
	 * The layout that the message was encoded with.
	 * @return its {@link io.ringkernel.message.MessageLayout#fingerprint fingerprint}
	 */
	public long found() {
		return this.found;
	}

	/**
	 * The layout of the record that the message is to become.
	 * @return its {@link io.ringkernel.message.MessageLayout#fingerprint fingerprint}
	 */
	public long expected() {
		return this.expected;
	}

}
