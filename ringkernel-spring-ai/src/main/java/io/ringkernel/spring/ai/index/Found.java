package io.ringkernel.spring.ai.index;

import java.util.Comparator;

import io.ringkernel.spring.ai.search.RankedRow;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;

/**
 * A row that a search has found, and what it holds, if that was read.
 */
record Found(int row, float similarity, Document.@Nullable Builder content) {

	/** The order of the kernel. */
	static final Comparator<Found> NEAREST_FIRST = Comparator
		.comparing((Found found) -> new RankedRow(found.row(), found.similarity()));

	Found withSimilarity(float exact) {
		return new Found(this.row, exact, this.content);
	}

}
