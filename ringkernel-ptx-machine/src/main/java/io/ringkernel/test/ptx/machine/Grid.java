package io.ringkernel.test.ptx.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.ringkernel.test.ptx.machine.PtxFault.Kind;

/**
 * A launch of a kernel. One Java thread runs all of its warps, by turns and always in the
 * same order.
 *
 * @since 0.2.0
 */
public final class Grid {

	private static final int SLICE = 256;

	private final Program program;

	private final Launch launch;

	private final Memory memory;

	private final Clock clock;

	private final List<Block> blocks = new ArrayList<>();

	/**
	 * Prepares a launch.
	 * @param entry the name of a kernel
	 */
	public Grid(Program program, String entry, Launch launch, Memory memory, Clock clock) {
		this.program = program;
		this.launch = launch;
		this.memory = memory;
		this.clock = clock;
		int start = Objects.requireNonNull(program.entries().get(entry), () -> "there is no kernel " + entry).start();
		for (int block = 0; block < launch.blocks(); block++) {
			this.blocks.add(new Block(this, program, block, start));
		}
	}

	/**
	 * Looks for races between the lanes of a warp.
	 * @param report takes each pair of instructions that access a byte, once
	 * @param amongWarps whether all threads of a block work together: then races between
	 * threads of different warps are found as well
	 */
	public Grid watch(Consumer<PtxFault> report, boolean amongWarps) {
		this.blocks.forEach((block) -> block.watch(report, amongWarps));
		return this;
	}

	Launch launch() {
		return this.launch;
	}

	/** The memory of the device. */
	public Memory memory() {
		return this.memory;
	}

	/** The time that the kernel sees. */
	public Clock clock() {
		return this.clock;
	}

	/**
	 * Runs the kernel until it has ended.
	 * @param budget how many steps of a warp it may take
	 * @param aborted asked now and then; the kernel stops where it stands if it is
	 * @return how many steps it took
	 * @throws PtxFault if it does what no kernel may do
	 */
	public long run(long budget, BooleanSupplier aborted) {
		long steps = 0;
		try {
			while (isLive() && !aborted.getAsBoolean()) {
				steps += round();
				if (steps > budget) {
					throw new PtxFault(Kind.STEP_BUDGET,
							"the kernel has not ended after %d steps%s".formatted(steps, whereabouts()));
				}
			}
			return steps;
		}
		finally {
			this.blocks.forEach(Block::close);
		}
	}

	private boolean isLive() {
		return this.blocks.stream().anyMatch((block) -> block.liveThreads() != 0);
	}

	/** Gives each warp that can run a slice. */
	private long round() {
		long steps = 0;
		long rest = Long.MAX_VALUE;
		for (Block block : this.blocks) {
			for (Warp warp : block.warps()) {
				if (warp.isRunnable()) {
					steps += warp.run(SLICE);
					rest = Math.min(rest, warp.rest());
				}
			}
		}
		if (steps == 0) {
			throw new PtxFault(Kind.DEADLOCK, "all threads wait for others" + whereabouts());
		}
		if (rest != 0) {
			this.clock.rest(rest);
		}
		return steps;
	}

	private String whereabouts() {
		return this.blocks.stream().map(Block::whereabouts).collect(Collectors.joining());
	}

	/** The instructions and tables that it runs. */
	public Program program() {
		return this.program;
	}

}
