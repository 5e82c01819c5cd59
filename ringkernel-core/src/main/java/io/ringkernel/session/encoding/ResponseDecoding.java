package io.ringkernel.session.encoding;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.buffer.ArraysAhead;
import io.ringkernel.ring.Draft;
import org.jspecify.annotations.Nullable;

/**
 * How responses get out of their slots.
 *
 * @param <O> what is received
 * @since 0.2.0
 */
@FunctionalInterface
public interface ResponseDecoding<O> {

	/**
	 * Decodes the response at a position that is being answered.
	 * @param position the position
	 * @param own what to decode it through; {@code null} for a draft that is shared
	 * @param arrays what {@link #ahead} has made for it, if anything
	 * @return the response, or {@code null} if a part of it is still on its way
	 * @throws CorruptMessageException if it is no valid message
	 */
	@Nullable O decode(long position, @Nullable Draft own, @Nullable ArraysAhead arrays);

	/**
	 * Decodes the response at a position that is being answered, whatever it is, if that
	 * takes no more than to look at its words.
	 * @param position the position
	 * @return the response, or {@code null}: {@link #decode} may know it
	 * @throws CorruptMessageException if it is no valid message
	 */
	default @Nullable O decodePacked(long position) {
		return null;
	}

	/**
	 * Makes what the next response is expected to need, while its caller waits for it.
	 * @return what was made, or {@code null} if nothing would be gained
	 */
	default @Nullable ArraysAhead ahead() {
		return null;
	}

}
