package io.ringkernel.test.ptx.machine;

/**
 * An instruction, decoded once and executed by the lanes of a warp that stand at it.
 *
 * @since 0.2.0
 */
public abstract class Instruction {

	/** What {@link #step} returns if it has said of each lane where that goes on. */
	protected static final int ELSEWHERE = -1;

	private final int line;

	private final String mnemonic;

	/**
	 * Describes an instruction.
	 * @param line its line in the text, from 1
	 * @param mnemonic its opcode, for reports
	 */
	protected Instruction(int line, String mnemonic) {
		this.line = line;
		this.mnemonic = mnemonic;
	}

	/**
	 * Executes the instruction.
	 * @param warp the warp
	 * @param lanes the lanes that execute it, one bit each; at least one
	 * @param at its own place in the program
	 * @return where all these lanes go on, or {@link #ELSEWHERE}
	 */
	protected abstract int step(Warp warp, int lanes, int at);

	/** The opcode and the line, as reports call it. */
	public final String describe() {
		return "%s in line %d".formatted(this.mnemonic, this.line);
	}

}
