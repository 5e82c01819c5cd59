package io.ringkernel.test.ptx.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.test.ptx.machine.PtxFault.Kind;

/**
 * The barriers of a block. A barrier is passed when as many threads wait at it as were
 * announced: all that have not ended, if no number was.
 *
 * @since 0.2.0
 */
public final class Barriers {

	/** How many barriers a block has. */
	public static final int COUNT = 16;

	/** Announces all threads of the block. */
	public static final int ALL = 0;

	private final Block block;

	private final int[][] waiting;

	private final int[] expected = new int[COUNT];

	private final int[] arrived = new int[COUNT];

	private final int[] votes = new int[COUNT];

	private final List<List<Voter>> voters = Stream.<List<Voter>>generate(ArrayList::new).limit(COUNT).toList();

	Barriers(Block block, int warps) {
		this.block = block;
		this.waiting = new int[COUNT][warps];
	}

	/**
	 * Has lanes wait at a barrier, or pass it if they are the last.
	 * @param threads how many threads it waits for, or {@link #ALL}
	 */
	public void arrive(Warp warp, int lanes, int barrier, int threads) {
		int lane = Integer.numberOfTrailingZeros(lanes);
		if (barrier < 0 || barrier >= COUNT) {
			throw warp.fault(Kind.UNSPECIFIED, lane, "waits at barrier %d of %d".formatted(barrier, COUNT));
		}
		if (this.arrived[barrier] != 0 && this.expected[barrier] != threads) {
			throw warp.fault(Kind.DEADLOCK, lane, "expects %d threads at barrier %d, others expect %d"
				.formatted(threads, barrier, this.expected[barrier]));
		}
		warp.block(lanes);
		this.waiting[barrier][warp.number()] |= lanes;
		this.expected[barrier] = threads;
		this.arrived[barrier] += Integer.bitCount(lanes);
		passIfComplete(barrier);
	}

	/**
	 * Has lanes wait at a barrier, and learn how many threads voted for something.
	 * @param threads how many threads it waits for, or {@link #ALL}
	 * @param votes the lanes that vote for it
	 * @param result takes how many threads voted for it, and how many voted
	 */
	public void vote(Warp warp, int lanes, int barrier, int threads, int votes, Result result) {
		if (barrier >= 0 && barrier < COUNT) {
			this.votes[barrier] += Integer.bitCount(votes & lanes);
			this.voters.get(barrier).add(new Voter(warp, lanes, result));
		}
		arrive(warp, lanes, barrier, threads);
	}

	/** A thread has ended, and is waited for no more. */
	void recount() {
		for (int barrier = 0; barrier < COUNT; barrier++) {
			if (this.arrived[barrier] != 0 && this.expected[barrier] == ALL) {
				passIfComplete(barrier);
			}
		}
	}

	private void passIfComplete(int barrier) {
		int threads = (this.expected[barrier] == ALL) ? this.block.liveThreads() : this.expected[barrier];
		if (this.arrived[barrier] < threads) {
			return;
		}
		Races races = this.block.races();
		if (races != null) {
			races.met(this.waiting[barrier]);
		}
		for (Warp warp : this.block.warps()) {
			warp.release(this.waiting[barrier][warp.number()]);
			this.waiting[barrier][warp.number()] = 0;
		}
		for (Voter voter : this.voters.get(barrier)) {
			voter.result().accept(voter.warp(), voter.lanes(), this.votes[barrier], this.arrived[barrier]);
		}
		this.voters.get(barrier).clear();
		this.votes[barrier] = 0;
		this.arrived[barrier] = 0;
	}

	/** What is waited for, for a report; empty if nobody waits. */
	String describe() {
		StringBuilder text = new StringBuilder();
		for (int barrier = 0; barrier < COUNT; barrier++) {
			if (this.arrived[barrier] != 0) {
				text.append("; barrier %d of block %d has %d of %d threads".formatted(barrier, this.block.number(),
						this.arrived[barrier],
						(this.expected[barrier] == ALL) ? this.block.liveThreads() : this.expected[barrier]));
			}
		}
		return text.toString();
	}

	/** What a barrier tells the threads that voted at it. */
	@FunctionalInterface
	public interface Result {

		/**
		 * Takes the result.
		 * @param warp the warp of lanes that voted
		 * @param votes how many threads voted for it
		 * @param voters how many threads voted
		 */
		void accept(Warp warp, int lanes, int votes, int voters);

	}

	private record Voter(Warp warp, int lanes, Result result) {
	}

}
