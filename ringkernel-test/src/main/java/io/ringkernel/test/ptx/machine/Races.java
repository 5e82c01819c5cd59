package io.ringkernel.test.ptx.machine;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.ringkernel.test.ptx.machine.PtxFault.Kind;

/**
 * Finds bytes that two threads access, at least one of which writes, without having met
 * in between at a barrier, of the block or of the warp. It looks at the lanes of a warp,
 * or at all threads of a block if these work together. What others do with each other's
 * bytes is left to fences, which it does not follow; so are accesses that are atomic,
 * volatile or have a scope. A thread that writes what is there already writes nothing, so
 * all may store the same.
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

	/** When the lanes of two warps have all met. */
	private final long[] warpsMet;

	/** When two lanes of a warp have met. */
	private final long[] lanesMet;

	private final Map<Long, Bytes> touched = new HashMap<>();

	/** The page that was looked at last, as others are seldom in between. */
	private Bytes last = new Bytes();

	private long lastNumber = -1;

	/** Pairs of instructions that are reported already. */
	private final Set<Long> known = new HashSet<>();

	private final int warps;

	/** Counts instructions, so that what happened before a meeting is told from after. */
	private long now = 1;

	/**
	 * @param amongWarps whether it looks at threads of different warps
	 */
	Races(Block block, Consumer<PtxFault> report, boolean amongWarps) {
		this.block = block;
		this.report = report;
		this.amongWarps = amongWarps;
		this.warps = block.warps().size();
		this.warpsMet = new long[this.warps * this.warps];
		this.lanesMet = new long[this.warps * LANES * LANES];
	}

	/**
	 * Lanes of a warp have met.
	 * @param warp the warp
	 * @param lanes the lanes
	 */
	public void met(Warp warp, int lanes) {
		this.now++;
		if (lanes == warp.live()) {
			this.warpsMet[warp.number() * this.warps + warp.number()] = this.now;
			return;
		}
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int row = (warp.number() * LANES + Integer.numberOfTrailingZeros(rest)) * LANES;
			for (int others = lanes; others != 0; others &= others - 1) {
				this.lanesMet[row + Integer.numberOfTrailingZeros(others)] = this.now;
			}
		}
	}

	/** Warps have met at a barrier, each with all of its lanes that it had there. */
	void met(int[] lanes) {
		for (Warp warp : this.block.warps()) {
			if (lanes[warp.number()] != 0) {
				met(warp, lanes[warp.number()]);
			}
		}
		for (Warp one : this.block.warps()) {
			for (Warp other : this.block.warps()) {
				if (one != other && isWhole(one, lanes) && isWhole(other, lanes)) {
					this.warpsMet[one.number() * this.warps + other.number()] = this.now;
				}
			}
		}
	}

	private static boolean isWhole(Warp warp, int[] lanes) {
		return lanes[warp.number()] != 0 && lanes[warp.number()] == warp.live();
	}

	/** An instruction is about to access memory. */
	public void step() {
		this.now++;
	}

	/**
	 * A lane reads.
	 * @param warp its warp
	 * @param lane the lane
	 * @param address of the first byte
	 * @param bytes how many
	 */
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

	/**
	 * A lane writes.
	 * @param warp its warp
	 * @param lane the lane
	 * @param address of the first byte
	 * @param bytes how many
	 */
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
		if (other == 0 || other - 1 == thread || then <= met(warp, lane, other - 1)
				|| !this.known.add((long) warp.place() << Integer.SIZE | place)) {
			return;
		}
		this.report.accept(warp.fault(Kind.RACE, lane,
				"%s %s, which thread %d %s (%s) since they met last".formatted(does,
						this.block.grid().memory().describe(address), other - 1, has,
						this.block.grid().program().code()[place].describe())));
	}

	/** When two threads have met; always, if they are none of those that it looks at. */
	private long met(Warp warp, int lane, int other) {
		int otherWarp = other / LANES;
		long whole = this.warpsMet[warp.number() * this.warps + otherWarp];
		if (otherWarp == warp.number()) {
			return Math.max(whole, this.lanesMet[(warp.number() * LANES + lane) * LANES + other % LANES]);
		}
		return this.amongWarps ? whole : Long.MAX_VALUE;
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
