package io.ringkernel.cuda.host.remote;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.MalformedFrameException;

/**
 * Reads the body of an answer.
 *
 * @param <T> what it holds
 * @since 0.2.0
 */
@FunctionalInterface
public interface Answer<T> {

	/** The answer to a call that is done, and has nothing to say. */
	Answer<Boolean> DONE = (body) -> true;

	/**
	 * Reads the body, which the caller checks to have been read to its end.
	 * @param body the body
	 * @return what it holds
	 * @throws MalformedFrameException if it is no answer to the call
	 */
	T read(FrameReader body) throws MalformedFrameException;

}
