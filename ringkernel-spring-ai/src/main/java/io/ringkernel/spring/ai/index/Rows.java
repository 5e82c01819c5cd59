package io.ringkernel.spring.ai.index;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Which rows may be written. A row that is no longer in use is free once no search reads
 * a version in which it was. Used by one thread at a time.
 */
final class Rows {

	private final ArrayDeque<RetiredRow> retired = new ArrayDeque<>();

	private final BitSet used = new BitSet();

	/** Takes rows in ascending order, the lowest free ones. */
	int[] take(int count) {
		int[] taken = new int[count];
		int row = 0;
		for (int i = 0; i < count; i++) {
			row = this.used.nextClearBit(row);
			this.used.set(row);
			taken[i] = row;
		}
		return taken;
	}

	void giveBack(int[] rows) {
		for (int row : rows) {
			this.used.clear(row);
		}
	}

	void markUsed(int row) {
		this.used.set(row);
	}

	/** Keeps rows from being taken until no version before the given one is read. */
	void retire(List<Integer> rows, long version) {
		rows.forEach((row) -> this.retired.add(new RetiredRow(row, version)));
	}

	/** Frees rows that were retired by the oldest version that is read. */
	void reclaim(long oldest, IntConsumer released) {
		for (RetiredRow next = this.retired.peek(); next != null
				&& next.version() <= oldest; next = this.retired.peek()) {
			this.retired.remove();
			this.used.clear(next.row());
			released.accept(next.row());
		}
	}

	private record RetiredRow(int row, long version) {
	}

}
