package io.ringkernel.spring.ai.storage;

import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Which row a document is in, by its id: a hash table that holds no ids, as the documents
 * have them. An entry takes 8 bytes, and a table is at most two thirds full. Used by one
 * thread at a time.
 */
final class RowsById {

	private static final int NONE = -1;

	private static final int MIN_ENTRIES = 1024;

	private static final long FACTOR = 0x9E3779B97F4A7C15L;

	/** Of each table another one, so that no list of ids collides in all of them. */
	private final long seed = new SplittableRandom().nextLong();

	/**
	 * The upper half of a hash above the row and 1; 0 if there is none. An entry lies at
	 * the place that its hash names, or behind it without a gap.
	 */
	private long[] entries = new long[MIN_ENTRIES];

	private int size;

	/** The row of a document, among those whose ids are alike, or -1. */
	int find(String id, IntPredicate isOfId) {
		int tag = tag(id);
		for (int place = place(tag); this.entries[place] != 0; place = next(place)) {
			long entry = this.entries[place];
			if (tagOf(entry) == tag && isOfId.test(rowOf(entry))) {
				return rowOf(entry);
			}
		}
		return NONE;
	}

	/** Makes room, so that so many rows can be added without anything that may fail. */
	void reserve(int rows) {
		while (this.size + rows > this.entries.length / 3 * 2) {
			grow();
		}
	}

	/** Adds the row of a document, whose id no other row has. */
	void add(String id, int row) {
		addAll(entry(id, row));
	}

	/** What stands for the row of a document. Any number of threads. */
	long entry(String id, int row) {
		return (long) tag(id) << Integer.SIZE | row + 1L;
	}

	/** Adds the {@linkplain #entry entries} of rows, whose ids no other row has. */
	void addAll(long... added) {
		reserve(added.length);
		for (long entry : added) {
			insert(entry);
		}
		this.size += added.length;
	}

	private void grow() {
		long[] before = this.entries;
		this.entries = new long[2 * before.length];
		for (long entry : before) {
			if (entry != 0) {
				insert(entry);
			}
		}
	}

	private void insert(long entry) {
		int place = place(tagOf(entry));
		while (this.entries[place] != 0) {
			place = next(place);
		}
		this.entries[place] = entry;
	}

	/** Removes a row by its {@linkplain #entry entry}. */
	void remove(long entry) {
		int gap = place(tagOf(entry));
		while (this.entries[gap] != entry) {
			if (this.entries[gap] == 0) {
				throw new IllegalStateException("Row %d is not known by this id.".formatted(rowOf(entry)));
			}
			gap = next(gap);
		}
		// Entries behind it move up, unless they would come before their places.
		for (int place = next(gap); this.entries[place] != 0; place = next(place)) {
			if (distance(place(tagOf(this.entries[place])), place) >= distance(gap, place)) {
				this.entries[gap] = this.entries[place];
				gap = place;
			}
		}
		this.entries[gap] = 0;
		this.size--;
	}

	IntStream all() {
		return entries().mapToInt(RowsById::rowOf);
	}

	/** The entries of the rows, in the same order. Nothing may be changed meanwhile. */
	LongStream entries() {
		return LongStream.of(this.entries).filter((entry) -> entry != 0);
	}

	private int distance(int from, int to) {
		return to - from & this.entries.length - 1;
	}

	private int place(int tag) {
		return tag & this.entries.length - 1;
	}

	private int next(int place) {
		return place + 1 & this.entries.length - 1;
	}

	private int tag(String id) {
		long hash = this.seed;
		for (int i = 0; i < id.length(); i++) {
			hash = (hash ^ id.charAt(i)) * FACTOR;
			hash ^= hash >>> Integer.SIZE;
		}
		return (int) ((hash * FACTOR) >>> Integer.SIZE);
	}

	private static int tagOf(long entry) {
		return (int) (entry >>> Integer.SIZE);
	}

	static int rowOf(long entry) {
		return (int) (entry - 1);
	}

}
