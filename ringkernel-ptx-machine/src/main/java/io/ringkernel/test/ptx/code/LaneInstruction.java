package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/**
 * An instruction that each lane executes for itself, before it goes on with the next. The
 * classes of instructions repeat the loop over the lanes, so that the JVM compiles one
 * for each of them without a call for each lane.
 */
abstract class LaneInstruction extends Instruction {

	LaneInstruction(Statement statement) {
		super(statement.line(), statement.mnemonic());
	}

	@Override
	protected final int step(Warp warp, int lanes, int at) {
		execute(warp, lanes);
		return at + 1;
	}

	abstract void execute(Warp warp, int lanes);

}
