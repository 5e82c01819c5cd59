package io.ringkernel.cuda.host.remote;

import io.ringkernel.cuda.host.wire.FrameReader;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a host that says what has failed, or that there is none.
 */
final class HostedFailure extends Exception {

	private static final long serialVersionUID = 1;

	private final transient @Nullable FrameReader body;

	/**
	 * Creates the failure.
	 * @param body what says what has failed; {@code null} if there is no answer
	 */
	HostedFailure(@Nullable FrameReader body) {
		super(null, null, false, false);
		this.body = body;
	}

	@Nullable FrameReader body() {
		return this.body;
	}

}
