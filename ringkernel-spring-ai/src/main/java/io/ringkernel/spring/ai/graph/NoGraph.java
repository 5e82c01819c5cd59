package io.ringkernel.spring.ai.graph;

import java.util.Collection;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Stands for a graph where every search is exact.
 */
final class NoGraph implements RowGraph {

	@Override
	public void add(int row, float[] vectors, int offset, long version) {
	}

	@Override
	public void retire(Collection<Integer> rows, long version) {
	}

	@Override
	public void release(int row) {
	}

	@Override
	public int @Nullable [] candidates(float[] vector, int count, long version, IntPredicate filter) {
		return null;
	}

	@Override
	public int size() {
		return 0;
	}

	@Override
	public int waiting() {
		return 0;
	}

	@Override
	public void close() {
	}

}
