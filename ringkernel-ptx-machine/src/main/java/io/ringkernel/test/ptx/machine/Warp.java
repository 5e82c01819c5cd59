package io.ringkernel.test.ptx.machine;

import java.util.Arrays;

import io.ringkernel.test.ptx.machine.PtxFault.Kind;

/**
 * Thirty-two lanes with registers and a place in the program each.
 * <p>
 * Lanes that stand at the same place step together. Of several groups the one steps that
 * is deepest in calls and, of these, at the lowest place: it meets the others where their
 * ways join again, because a compiler places that behind both ways.
 * <p>
 * <b>Why no lane waits for ever for its turn.</b> A lane at a low place may spin until a
 * lane at a higher one has done something. So a warp runs in slices of a bounded number
 * of steps, and lanes that ran in a slice are passed over until all others that could run
 * have. Each slice in which a lane could run and did not adds at least one of the at most
 * 31 others to those that are passed over. After 32 slices it has run.
 *
 * @since 0.2.0
 */
public final class Warp {

	/** How many lanes a warp has. */
	public static final int LANES = 32;

	private static final int MAX_DEPTH = 32;

	private final long[] values;

	private final int[] flags;

	private final long[] scratch = new long[LANES];

	private final int[] places = new int[LANES];

	private final int[] depths = new int[LANES];

	private final int[] returns = new int[LANES * MAX_DEPTH];

	/** The lanes that each lane waits for at a barrier of the warp; 0 if it does not. */
	private final int[] members = new int[LANES];

	private final Block block;

	private final Instruction[] code;

	private final int number;

	private int live;

	private int blocked;

	/** The lanes that ran in this round of slices. */
	private int served;

	private int groupPlace;

	/** Where the next group above stands. */
	private int limit;

	private long rest;

	Warp(Block block, Program program, int number, int threads, int start) {
		this.block = block;
		this.code = program.code();
		this.number = number;
		this.values = new long[program.values() * LANES];
		this.flags = new int[program.flags()];
		this.flags[Program.TRUE] = -1;
		this.live = (threads >= LANES) ? -1 : (1 << threads) - 1;
		Arrays.fill(this.places, start);
		program.constants().forEach(this::initialize);
	}

	private void initialize(Program.Constant constant) {
		for (int lane = 0; lane < LANES; lane++) {
			this.values[constant.register() * LANES + lane] = this.block.constant(constant, this.number, lane);
		}
	}

	/**
	 * The registers: that of a lane lies at {@code register * LANES + lane}. Of a value
	 * shorter than 64 bits, the upper bits mean nothing.
	 * @return the values, to be changed
	 */
	public long[] values() {
		return this.values;
	}

	/** The predicates, with one bit for each lane; to be changed. */
	public int[] flags() {
		return this.flags;
	}

	/**
	 * Gives some lanes of a register one value.
	 * @param register the index of the register's first lane
	 */
	public void fill(int register, int lanes, long value) {
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			this.values[register + Integer.numberOfTrailingZeros(rest)] = value;
		}
	}

	/**
	 * A copy of a register, for instructions that write one lane's value to another.
	 * @param register the index of the register's first lane
	 * @return the values of all lanes; overwritten by the next call
	 */
	public long[] copy(int register) {
		System.arraycopy(this.values, register, this.scratch, 0, LANES);
		return this.scratch;
	}

	/** The block that it is of. */
	public Block block() {
		return this.block;
	}

	/** Its number in the block, from 0. */
	public int number() {
		return this.number;
	}

	boolean isLive() {
		return this.live != 0;
	}

	int live() {
		return this.live;
	}

	boolean isRunnable() {
		return runnable() != 0;
	}

	private int runnable() {
		return this.live & ~this.blocked;
	}

	/** How long the warp asked to rest in its last slice; 0 if it did not. */
	long rest() {
		return this.rest;
	}

	/** Runs for a slice, and says how many steps were made. */
	int run(int slice) {
		this.rest = 0;
		if ((runnable() & ~this.served) == 0) {
			this.served = 0;
		}
		int left = slice;
		int ran = 0;
		while (left > 0 && this.rest == 0) {
			int group = choose(runnable() & ~this.served);
			if (group == 0) {
				break;
			}
			ran |= group;
			left = execute(group, left);
		}
		this.served |= ran;
		return slice - left;
	}

	/** The lanes that are deepest and, of these, lowest. */
	private int choose(int eligible) {
		int group = 0;
		int deepest = -1;
		int lowest = Integer.MAX_VALUE;
		int above = Integer.MAX_VALUE;
		for (int lanes = eligible; lanes != 0; lanes &= lanes - 1) {
			int lane = Integer.numberOfTrailingZeros(lanes);
			int depth = this.depths[lane];
			int place = this.places[lane];
			if (depth > deepest || (depth == deepest && place < lowest)) {
				above = (depth == deepest) ? lowest : Integer.MAX_VALUE;
				deepest = depth;
				lowest = place;
				group = 0;
			}
			if (depth == deepest && place == lowest) {
				group |= 1 << lane;
			}
			else if (depth == deepest) {
				above = Math.min(above, place);
			}
		}
		this.groupPlace = lowest;
		this.limit = above;
		return group;
	}

	/**
	 * Steps until the group parts, meets another, or has made as many steps as it may.
	 */
	private int execute(int group, int steps) {
		Instruction[] code = this.code;
		int limit = this.limit;
		int at = this.groupPlace;
		int left = steps;
		do {
			this.groupPlace = at;
			at = code[at].step(this, group, at);
			left--;
			if (at < 0) {
				return left;
			}
		}
		while (left > 0 && at < limit);
		place(group, at);
		return left;
	}

	/** Says where lanes go on. */
	public void place(int lanes, int place) {
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			this.places[Integer.numberOfTrailingZeros(rest)] = place;
		}
	}

	/**
	 * Has lanes call a function.
	 * @param back where they go on when it returns
	 */
	public void call(int lanes, int function, int back) {
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			this.returns[this.depths[lane]++ * LANES + lane] = back;
			this.places[lane] = function;
		}
	}

	/** Has lanes return from a function; from a kernel, they end. */
	public void comeBack(int lanes) {
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			if (this.depths[lane] == 0) {
				end(1 << lane);
			}
			else {
				this.places[lane] = this.returns[--this.depths[lane] * LANES + lane];
			}
		}
	}

	/** Ends lanes. */
	public void end(int lanes) {
		this.live &= ~lanes;
		this.block.barriers().recount();
	}

	/** Ends the slice: the warp has nothing to do for some time. */
	public void rest(long nanos) {
		this.rest = Math.max(1, nanos);
	}

	void block(int lanes) {
		this.blocked |= lanes;
	}

	void release(int lanes) {
		this.blocked &= ~lanes;
	}

	/**
	 * Has lanes wait for each other. They go on together.
	 * @param lanes those that have come, and stand at the same place
	 * @param members those that are to come
	 * @return whether all have come: then they are free to go on
	 */
	public boolean meet(int lanes, int members) {
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			if ((members >>> lane & 1) == 0) {
				throw fault(Kind.DEADLOCK, lane, "waits for lanes 0x%08x, of which it is none".formatted(members));
			}
			this.members[lane] = members;
		}
		for (int rest = members; rest != 0; rest &= rest - 1) {
			if (this.members[Integer.numberOfTrailingZeros(rest)] != members) {
				this.blocked |= lanes;
				return false;
			}
		}
		for (int rest = members; rest != 0; rest &= rest - 1) {
			this.members[Integer.numberOfTrailingZeros(rest)] = 0;
		}
		this.blocked &= ~members;
		return true;
	}

	/** Whether lanes stand where this group does. */
	public boolean standHere(int lanes) {
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			if (this.places[Integer.numberOfTrailingZeros(rest)] != this.groupPlace) {
				return false;
			}
		}
		return true;
	}

	/** The instruction that is executed. */
	int place() {
		return this.groupPlace;
	}

	/**
	 * A fault of a lane at the instruction that is executed.
	 * @param problem what it did, as the rest of a sentence
	 */
	public PtxFault fault(Kind kind, int lane, String problem) {
		return new PtxFault(kind, "thread %d of block %d %s (%s)".formatted(this.number * LANES + lane,
				this.block.number(), problem, this.code[this.groupPlace].describe()));
	}

	/** Where a lane stands. */
	String whereabouts(int lane) {
		return this.code[this.places[lane]].describe();
	}

}
