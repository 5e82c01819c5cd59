package io.ringkernel.ring;

import org.jspecify.annotations.Nullable;

/**
 * What a response is, as stated by its header. The code is part of the device ABI.
 */
public enum ResponseKind {

	/** An answer; the message is the encoded response. */
	ANSWER(0),

	/** The handler failed; the header's detail is its error code, the message empty. */
	HANDLER_FAILED(1),

	/** The request was withdrawn before it was begun; the message is empty. */
	WITHDRAWN(2),

	/**
	 * The device found the request to be no valid message of its layout; the message is
	 * empty.
	 */
	INVALID_REQUEST(3),

	/** The handler's response does not fit its layout; the message is empty. */
	INVALID_RESPONSE(4);

	private static final ResponseKind[] VALUES = values();

	private final int code;

	ResponseKind(int code) {
		this.code = code;
	}

	/**
	 * The code in the header.
	 * @return the code
	 */
	public int code() {
		return this.code;
	}

	static @Nullable ResponseKind of(int code) {
		return (code >= 0 && code < VALUES.length) ? VALUES[code] : null;
	}

}
