package io.ringkernel.spring.ai.search;

/**
 * How an operation of the kernel ended.
 *
 * @since 0.2.0
 */
public enum SearchOutcome {

	/** As asked. */
	DONE,

	/** Not at all: the kernel holds another incarnation of the index, or none. */
	STALE,

	/**
	 * Not at all: the pass has compared roughly, and cannot tell which rows are the most
	 * similar. A query for the vector alone can.
	 */
	UNPROVEN

}
