package io.ringkernel.cuda.host.remote;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.MalformedFrameException;

/**
 * Reads the body of an answer.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface Answer<T> {

	/** The answer to a call that is done, and has nothing to say. */
	Answer<Boolean> DONE = (body) -> true;

	/** Reads the body, which the caller checks to have been read to its end. */
	T read(FrameReader body) throws MalformedFrameException;

}
