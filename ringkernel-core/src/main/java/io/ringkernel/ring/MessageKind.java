package io.ringkernel.ring;

import org.jspecify.annotations.Nullable;

/**
 * What a request or a response is, as its header states it. The code is part of the
 * device ABI. A request is {@link #DATA} or {@link #WITHDRAWN}.
 *
 * @since 0.2.0
 */
public enum MessageKind {

	/** The encoded request, or the encoded response that answers it. */
	DATA(0),

	/** The handler failed; the header's detail is its error code, the message empty. */
	HANDLER_FAILED(1),

	/** The request was withdrawn before it was begun; the message is empty. */
	WITHDRAWN(2),

	/** The device found no valid message of its layout; the message is empty. */
	INVALID_REQUEST(3),

	/** The handler's response does not fit its layout; the message is empty. */
	INVALID_RESPONSE(4),

	/**
	 * The loop has ended by force and may have begun the request; the message is empty.
	 * The host answers so, and no device.
	 */
	LOST(5);

	private static final MessageKind[] VALUES = values();

	private final int code;

	MessageKind(int code) {
		this.code = code;
	}

	/**
	 * {@return the code in the header}
	 */
	public int code() {
		return this.code;
	}

	static @Nullable MessageKind of(int code) {
		return (code >= 0 && code < VALUES.length) ? VALUES[code] : null;
	}

}
