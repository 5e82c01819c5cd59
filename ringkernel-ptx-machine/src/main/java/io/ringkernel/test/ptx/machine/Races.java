package io.ringkernel.test.ptx.machine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.ringkernel.test.ptx.machine.PtxFault.Kind;

/**
 * Finds bytes that two threads access, at least one of which writes, without having met
 * in between at a barrier, of the block or of the warp. They have met as well if each has
 * met a third thread, one after the other. It looks at the lanes of a warp, or at all
 * threads of a block if these work together. What others do with each other's bytes is
 * left to fences, which it does not follow; so are accesses that are atomic, volatile or
 * have a scope. A thread that writes what is there already writes nothing, so all may
 * store the same.
 * <p>
 * Of each byte it knows the last write and the last reads of two threads. That is enough
 * for lanes that step together; of many threads that read apart, it may miss one.
 *
 * @since 0.2.0
 */
public final class Races {

	private static final int LANES = Warp.LANES;

	private final Block block;

	private final Consumer<PtxFault> report;

	private final boolean amongWarps;

	/** How many threads each of them may meet. */
	private final int span;

	/**
	 * Of each thread, up to when what the others did is ordered before what it does next.
	 * Threads that have met have one array, which nothing changes.
	 */
	private final long[][] ordered;

	private final Map<Long, Bytes> touched = new HashMap<>();

	/** The page that was looked at last, as others are seldom in between. */
	private Bytes last = new Bytes();

	private long lastNumber = -1;

	/** Pairs of instructions that are reported already. */
	private final Set<Long> known = new HashSet<>();

	/** Counts instructions, so that what happened before a meeting is told from after. */
	private long now = 1;

	/**
	 * @param amongWarps whether it looks at threads of different warps
	 */
	Races(Block block, Consumer<PtxFault> report, boolean amongWarps) {
		this.block = block;
		this.report = report;
		this.amongWarps = amongWarps;
		int threads = block.warps().size() * LANES;
		this.span = amongWarps ? threads : LANES;
		this.ordered = new long[threads][];
		Arrays.fill(this.ordered, new long[this.span]);
	}

	/** Lanes of a warp have met. */
	public void met(Warp warp, int lanes) {
		this.now++;
		long[] joined = new long[this.span];
		join(joined, warp, lanes);
		share(joined, warp, lanes);
	}

	/** Warps have met at a barrier, each with all of its lanes that it had there. */
	void met(int[] lanes) {
		if (!this.amongWarps) {
			this.block.warps().forEach((warp) -> met(warp, lanes[warp.number()]));
			return;
		}
		this.now++;
		long[] joined = new long[this.span];
		this.block.warps().forEach((warp) -> join(joined, warp, lanes[warp.number()]));
		this.block.warps().forEach((warp) -> share(joined, warp, lanes[warp.number()]));
	}

	/** Adds what is ordered before any of these lanes; most of them have one array. */
	@SuppressWarnings("ReferenceEquality")
	private void join(long[] joined, Warp warp, int lanes) {
		long[] last = joined;
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			long[] row = this.ordered[warp.number() * LANES + Integer.numberOfTrailingZeros(rest)];
			if (row != last) {
				Arrays.setAll(joined, (other) -> Math.max(joined[other], row[other]));
				last = row;
			}
		}
	}

	private void share(long[] joined, Warp warp, int lanes) {
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int thread = warp.number() * LANES + Integer.numberOfTrailingZeros(rest);
			joined[thread % this.span] = this.now;
			this.ordered[thread] = joined;
		}
	}

	/** An instruction is about to access memory. */
	public void step() {
		this.now++;
	}

	/** A lane reads. */
	public void read(Warp warp, int lane, long address, int bytes) {
		Bytes page = page(address);
		for (int i = 0; i < bytes; i++) {
			int at = (int) (address + i) & Bytes.MASK;
			check(warp, lane, address + i, page.writers[at], page.written[at], page.writes[at], "reads", "has written");
			int thread = warp.number() * LANES + lane + 1;
			if (page.readers[at] != thread) {
				page.others[at] = page.readers[at];
				page.othersRead[at] = page.read[at];
				page.othersReads[at] = page.reads[at];
				page.readers[at] = thread;
			}
			page.read[at] = this.now;
			page.reads[at] = warp.place();
		}
	}

	/** A lane writes. */
	public void written(Warp warp, int lane, long address, int bytes) {
		Bytes page = page(address);
		for (int i = 0; i < bytes; i++) {
			int at = (int) (address + i) & Bytes.MASK;
			check(warp, lane, address + i, page.writers[at], page.written[at], page.writes[at], "writes",
					"has written");
			check(warp, lane, address + i, page.readers[at], page.read[at], page.reads[at], "writes", "has read");
			check(warp, lane, address + i, page.others[at], page.othersRead[at], page.othersReads[at], "writes",
					"has read");
			page.writers[at] = warp.number() * LANES + lane + 1;
			page.written[at] = this.now;
			page.writes[at] = warp.place();
		}
	}

	/** An access lies in one page, as its address is a multiple of its size. */
	private Bytes page(long address) {
		long number = address >> Bytes.SHIFT;
		if (number != this.lastNumber) {
			this.lastNumber = number;
			this.last = this.touched.computeIfAbsent(number, (page) -> new Bytes());
		}
		return this.last;
	}

	private void check(Warp warp, int lane, long address, int other, long then, int place, String does, String has) {
		int thread = warp.number() * LANES + lane;
		if (other == 0 || other - 1 == thread || then <= ordered(thread, other - 1)
				|| !this.known.add((long) warp.place() << Integer.SIZE | place)) {
			return;
		}
		this.report.accept(warp.fault(Kind.RACE, lane,
				"%s %s, which thread %d %s (%s) since they met last".formatted(does,
						this.block.grid().memory().describe(address), other - 1, has,
						this.block.grid().program().code()[place].describe())));
	}

	/**
	 * Up to when what another thread did is ordered before what this one does next;
	 * always, if they are none of those that it looks at.
	 */
	private long ordered(int thread, int other) {
		return (this.amongWarps || thread / LANES == other / LANES) ? this.ordered[thread][other % this.span]
				: Long.MAX_VALUE;
	}

	/** Who has accessed the bytes of a page, when, and by which instruction. */
	private static final class Bytes {

		private static final int SHIFT = 6;

		private static final int MASK = (1 << SHIFT) - 1;

		private final int[] writers = new int[MASK + 1];

		private final long[] written = new long[MASK + 1];

		private final int[] writes = new int[MASK + 1];

		private final int[] readers = new int[MASK + 1];

		private final long[] read = new long[MASK + 1];

		private final int[] reads = new int[MASK + 1];

		private final int[] others = new int[MASK + 1];

		private final long[] othersRead = new long[MASK + 1];

		private final int[] othersReads = new int[MASK + 1];

	}

}
