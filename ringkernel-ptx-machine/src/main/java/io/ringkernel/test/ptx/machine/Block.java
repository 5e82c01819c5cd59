package io.ringkernel.test.ptx.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The warps that share barriers and shared memory.
 *
 * @since 0.2.0
 */
public final class Block {

	private static final int DYNAMIC_ALIGNMENT = 16;

	private final Grid grid;

	private final Program program;

	private final int number;

	private final long shared;

	private final long local;

	private final List<Warp> warps = new ArrayList<>();

	private final Barriers barriers;

	private @Nullable Races races;

	Block(Grid grid, Program program, int number, int start) {
		this.grid = grid;
		this.program = program;
		this.number = number;
		Memory memory = grid.memory();
		this.shared = memory.allocate("the shared memory of block " + number, sharedBytes());
		int threads = grid.launch().threads();
		this.local = memory.allocate("the local memory of block " + number, threads * program.localBytes());
		for (int thread = 0; thread < threads; thread += Warp.LANES) {
			this.warps.add(new Warp(this, program, thread / Warp.LANES, threads - thread, start));
		}
		this.barriers = new Barriers(this, this.warps.size());
	}

	/** Where dynamic shared memory begins. */
	static int dynamicOffset(int staticBytes) {
		return (staticBytes + DYNAMIC_ALIGNMENT - 1) / DYNAMIC_ALIGNMENT * DYNAMIC_ALIGNMENT;
	}

	private int sharedBytes() {
		return dynamicOffset(this.program.staticSharedBytes()) + this.grid.launch().sharedBytes();
	}

	long constant(Program.Constant constant, int warp, int lane) {
		int thread = warp * Warp.LANES + lane;
		Launch launch = this.grid.launch();
		int bit = 1 << lane;
		return switch (constant.source()) {
			case NUMBER -> constant.value();
			case THREAD -> thread;
			case THREADS -> launch.threads();
			case BLOCK -> this.number;
			case BLOCKS -> launch.blocks();
			case LANE -> lane;
			case WARP -> warp;
			case LANE_EQ -> bit;
			case LANE_LT -> bit - 1;
			case LANE_LE -> bit | bit - 1;
			case LANE_GT -> ~(bit | bit - 1);
			case LANE_GE -> ~(bit - 1);
			case SHARED_BASE -> this.shared;
			case SHARED_BYTES -> sharedBytes();
			case DYNAMIC_SHARED_BYTES -> launch.sharedBytes();
			case LOCAL_BASE -> this.local + (long) thread * this.program.localBytes();
			case PARAMETERS -> launch.parameters();
		};
	}

	int number() {
		return this.number;
	}

	/** The grid that it is of. */
	public Grid grid() {
		return this.grid;
	}

	/** Its barriers. */
	public Barriers barriers() {
		return this.barriers;
	}

	/** Looks for races. */
	void watch(Consumer<PtxFault> report, boolean amongWarps) {
		this.races = new Races(this, report, amongWarps);
	}

	/** What looks for races; {@code null} if nothing does. */
	public @Nullable Races races() {
		return this.races;
	}

	List<Warp> warps() {
		return this.warps;
	}

	int liveThreads() {
		return this.warps.stream().mapToInt((warp) -> Integer.bitCount(warp.live())).sum();
	}

	void close() {
		this.grid.memory().remove(this.shared);
		this.grid.memory().remove(this.local);
	}

	/** Who stands where. */
	String whereabouts() {
		Map<String, List<Integer>> standing = new TreeMap<>();
		for (Warp warp : this.warps) {
			for (int lanes = warp.live(); lanes != 0; lanes &= lanes - 1) {
				int lane = Integer.numberOfTrailingZeros(lanes);
				standing.computeIfAbsent(warp.whereabouts(lane), (where) -> new ArrayList<>())
					.add(warp.number() * Warp.LANES + lane);
			}
		}
		StringBuilder text = new StringBuilder();
		standing.forEach((where, threads) -> text
			.append("; threads %s of block %d stand at %s".formatted(threads, this.number, where)));
		return text + this.barriers.describe();
	}

}
