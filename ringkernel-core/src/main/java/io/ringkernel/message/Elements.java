package io.ringkernel.message;

/**
 * Moves a sequence of elements that lie one after another in memory.
 *
 * @param <A> the sequence: an array, or {@link String}
 */
interface Elements<A> {

	/**
	 * Validates every element.
	 * @return the number of elements that the sequence takes in memory
	 * @throws Throwable an {@link io.ringkernel.InvalidMessageException}, or what a
	 * record's accessor throws
	 */
	int count(A sequence) throws Throwable;

	/**
	 * Writes all elements from {@code at} on.
	 */
	void put(A sequence, MessageBuffer target, int at) throws Throwable;

	/**
	 * Reads {@code count} elements from {@code at} on; the caller has checked that they
	 * lie in the message.
	 */
	A get(MessageBuffer source, int at, int count) throws Throwable;

}
