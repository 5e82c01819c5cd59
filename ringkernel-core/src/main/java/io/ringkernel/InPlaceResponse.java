package io.ringkernel;

import io.ringkernel.exception.MessageReleasedException;

/**
 * A response that is read where a worker has written it, by the reader of an
 * {@linkplain InPlaceCalls in-place call}. Its frames throw a
 * {@link java.nio.ReadOnlyBufferException} if they are written.
 *
 * @since 0.2.0
 */
public interface InPlaceResponse {

	/**
	 * {@return the components that always lie at the same place, as a frame of one
	 * element, always the same} {@link io.ringkernel.message.MessageLayout#offset} tells
	 * where.
	 * @throws MessageReleasedException if the slot was given back
	 */
	Frame fields();

	/**
	 * {@return an array or string with {@link Capacity @Capacity}, a component of the
	 * record itself, as a frame that is always the same for it} Where it lies was
	 * checked; the values of its elements are as the kernel has written them.
	 * @param component its name
	 * @throws IllegalArgumentException if the record has no such component
	 * @throws MessageReleasedException if the slot was given back
	 */
	Frame array(String component);

}
