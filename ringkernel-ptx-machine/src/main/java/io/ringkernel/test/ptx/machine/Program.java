package io.ringkernel.test.ptx.machine;

import java.util.List;
import java.util.Map;

/**
 * A module that was decoded. All functions share one file of registers, in which each has
 * its own: a function that called itself would overwrite them, and is refused.
 *
 * @param code the instructions of all functions
 * @param entries the kernels, by name
 * @param globals the addresses and sizes of the variables in device memory, by name
 * @param values how many registers there are, besides predicates
 * @param flags how many predicates there are
 * @param constants what registers hold from the beginning
 * @param staticSharedBytes shared memory of a block that the text declares
 * @param localBytes local memory of a thread
 * @since 0.2.0
 */
public record Program(Instruction[] code, Map<String, Entry> entries, Map<String, Global> globals, int values,
		int flags, List<Constant> constants, int staticSharedBytes, int localBytes) {

	/** A predicate that is always false, and one that is always true. */
	public static final int FALSE = 0, TRUE = 1;

	/**
	 * A kernel.
	 *
	 * @param start its first instruction
	 * @param parameterBytes the size of its parameters
	 */
	public record Entry(int start, int parameterBytes) {
	}

	/**
	 * A variable in device memory.
	 *
	 * @param address its address
	 * @param bytes its size
	 */
	public record Global(long address, long bytes) {
	}

	/**
	 * What a register holds from the beginning.
	 *
	 * @param register the register
	 * @param source what it is
	 * @param value the value of a {@link Source#NUMBER}
	 */
	public record Constant(int register, Source source, long value) {
	}

	/** What the value of a register is. */
	public enum Source {

		/** The same number in each thread. */
		NUMBER,

		/** The number of the thread in its block. */
		THREAD,

		/** The number of threads in a block. */
		THREADS,

		/** The number of the block. */
		BLOCK,

		/** The number of blocks. */
		BLOCKS,

		/** The number of the lane in its warp. */
		LANE,

		/** The number of the warp in its block. */
		WARP,

		/** The bit of this lane, and those of lanes around it. */
		LANE_EQ, LANE_LT, LANE_LE, LANE_GT, LANE_GE,

		/** The address of the shared memory of the block. */
		SHARED_BASE,

		/** The shared memory of the block in bytes, and the dynamic part of it. */
		SHARED_BYTES, DYNAMIC_SHARED_BYTES,

		/** The address of the local memory of the thread. */
		LOCAL_BASE,

		/** The address of the parameters of the kernel. */
		PARAMETERS

	}

}
