package io.ringkernel.compiler.corpus;

import java.util.List;
import java.util.stream.Stream;

/**
 * All handlers of the corpus.
 */
public final class Corpus {

	private Corpus() {
	}

	/** All of them. */
	public static List<Sample<?, ?>> all() {
		return Stream
			.of(Elementwise.samples(), Scalars.samples(), Control.samples(), Failing.samples(), Reductions.samples(),
					Messages.samples(), Stateful.samples(), Loops.samples(), Scratch.samples(), Absent.samples(),
					Texts.samples(), Functions.samples(), Assignments.samples(), References.samples(), Merges.samples(),
					Dispatched.samples(), LambdaMethods.samples(), Copies.samples(), Rows.samples(), Finals.samples(),
					Choices.samples(), Statics.samples(), Lambdas.samples(), Halves.samples(), Nested.samples(),
					Accumulated.samples(), Pipelines.samples(), Grids.samples())
			.flatMap(List::stream)
			.<Sample<?, ?>>map((sample) -> sample)
			.toList();
	}

}
