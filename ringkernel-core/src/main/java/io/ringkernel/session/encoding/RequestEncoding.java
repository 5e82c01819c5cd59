package io.ringkernel.session.encoding;

import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.ring.Draft;
import org.jspecify.annotations.Nullable;

/**
 * How requests get into their slots: what is done before a position is claimed, and may
 * fail, and what is left to be done behind it.
 *
 * @param <I> what is sent
 * @since 0.2.0
 */
@FunctionalInterface
public interface RequestEncoding<I> {

	/**
	 * Makes what publishing a request needs.
	 * @param request the request, which may be {@code null} against its type
	 * @param own what to encode it in; {@code null} for a draft that is shared
	 * @return the draft, which is recycled behind the publication; {@code null} if the
	 * request is copied into its slot as it is
	 * @throws InvalidMessageException if the request does not fit its layout
	 */
	default @Nullable Draft encode(I request, @Nullable Draft own) {
		return null;
	}

	/**
	 * Publishes a request at a position that is claimed.
	 * @param position the position
	 * @param request the request
	 * @param draft what encoding it has returned
	 */
	void publish(long position, I request, @Nullable Draft draft);

	/**
	 * {@return whether requests need no draft and so may be published several at a time}
	 */
	default boolean inRuns() {
		return false;
	}

}
