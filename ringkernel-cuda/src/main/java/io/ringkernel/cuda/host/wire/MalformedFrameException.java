package io.ringkernel.cuda.host.wire;

import java.io.IOException;

/**
 * The peer has sent what is no frame of this version, or a frame that states something
 * out of its range.
 *
 * @since 0.2.0
 */
public final class MalformedFrameException extends IOException {

	public MalformedFrameException(String problem) {
		super(problem);
	}

}
