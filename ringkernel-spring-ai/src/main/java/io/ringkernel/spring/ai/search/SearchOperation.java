package io.ringkernel.spring.ai.search;

/**
 * What the kernel is asked to do.
 *
 * @since 0.2.0
 */
public enum SearchOperation {

	/** Forgets all rows, and begins an incarnation of the index. */
	RESET,

	/** Takes memory of the device for a block of rows, or for their cells in a column. */
	ATTACH,

	/** Writes rows that are visible from an epoch on. */
	STAGE,

	/** Makes rows invisible from an epoch on. */
	RETIRE,

	/** Finds the rows that are most similar to a vector. */
	QUERY,

	/** Lists the rows that match a filter, in their order. */
	SELECT,

	/** Takes vectors that are searched for in one pass over the rows. */
	PREPARE,

	/** Compares rows with all vectors of a pass. */
	SCAN,

	/** Finds the rows that are most similar to one vector of a pass. */
	NEAREST

}
