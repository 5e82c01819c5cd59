package io.ringkernel.spring.ai.search;

/**
 * A row that a query has found. Its order is that of the kernel: the most similar first,
 * and of those that are alike the smallest row.
 *
 * @param row the row
 * @param similarity how similar it is
 * @since 0.2.0
 */
public record RankedRow(int row, float similarity) implements Comparable<RankedRow> {

	/** To the kernel, 0 and -0 are the same. */
	@Override
	public int compareTo(RankedRow other) {
		return (this.similarity == other.similarity) ? Integer.compare(this.row, other.row)
				: Float.compare(other.similarity, this.similarity);
	}

}
