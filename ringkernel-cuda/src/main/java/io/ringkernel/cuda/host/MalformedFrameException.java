package io.ringkernel.cuda.host;

import java.io.IOException;

/**
 * The peer has sent what is no frame of this version, or a frame that states something
 * out of its range.
 */
final class MalformedFrameException extends IOException {

	MalformedFrameException(String problem) {
		super(problem);
	}

}
