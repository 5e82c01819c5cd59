package io.ringkernel.backend;

/**
 * Tells those who wait for responses that one was published. A loop rings it on the
 * thread of the worker that has answered.
 * <p>
 * The answer is stored before the bell is rung. An implementation that looks for a waiter
 * puts a full fence before that look, and the waiter one between its announcement and its
 * last look at the ring: one of the two then sees the other.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface AnswerBell {

	/**
	 * Called after each answer, of whatever kind. It must neither throw nor wait, nor
	 * allocate.
	 * @param slot the slot whose answer was published
	 */
	void answered(int slot);

}
