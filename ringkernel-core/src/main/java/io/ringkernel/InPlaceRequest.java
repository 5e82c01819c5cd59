package io.ringkernel;

import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.MessageReleasedException;

/**
 * A request that is written where a worker reads it, by the writer of an
 * {@linkplain InPlaceCalls in-place call}. Components that are not written are zero, not
 * present or empty.
 *
 * @since 0.2.0
 */
public interface InPlaceRequest {

	/**
	 * {@return the components that always lie at the same place, as a frame of one
	 * element, always the same} {@link io.ringkernel.message.MessageLayout#offset} tells
	 * where.
	 * @throws MessageReleasedException if the request is published
	 */
	Frame fields();

	/**
	 * Begins an array or string with {@link Capacity @Capacity}, a component of the
	 * record itself. What its elements hold is undefined until they are written: the
	 * memory is not cleared. Elements of primitives lie at offset 0, a string is bytes of
	 * UTF-8.
	 * @param component its name; arrays are begun in the order of the components, and
	 * those that are left out are empty
	 * @param size how many elements, or bytes of a string
	 * @return the array as a frame, always the same for this component
	 * @throws InvalidMessageException if the size is negative or exceeds the capacity, or
	 * if this array or a later one was begun before
	 * @throws IllegalArgumentException if the record has no such component
	 * @throws MessageReleasedException if the request is published
	 */
	Frame array(String component, int size);

}
