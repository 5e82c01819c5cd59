package io.ringkernel.test.ptx.machine;

/**
 * An instruction, decoded once and executed by the lanes of a warp that stand at it.
 *
 * @since 0.2.0
 */
public interface Instruction {

	/** What {@link #step} returns if it has said of each lane where that goes on. */
	int ELSEWHERE = -1;

	/**
	 * Executes the instruction.
	 * @param lanes the lanes that execute it, one bit each; at least one
	 * @param at its own place in the program
	 * @return where all these lanes go on, or {@link #ELSEWHERE}
	 */
	int step(Warp warp, int lanes, int at);

	/** The opcode and the line, as reports call it. */
	String describe();

}
