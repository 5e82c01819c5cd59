package io.ringkernel.session;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.ring.Draft;
import org.jspecify.annotations.Nullable;

/**
 * How responses get out of their slots.
 *
 * @param <O> what is received
 */
@FunctionalInterface
interface ResponseDecoding<O> {

	/**
	 * Decodes the response at a position that is being answered.
	 * @param own what to decode it through; {@code null} for a draft that is shared
	 * @return the response, or {@code null} if a part of it is still on its way
	 * @throws CorruptMessageException if it is no valid message
	 */
	@Nullable O decode(long position, @Nullable Draft own);

}
