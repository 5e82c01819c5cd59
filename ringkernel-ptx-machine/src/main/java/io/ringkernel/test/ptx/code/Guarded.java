package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/**
 * An instruction that only those lanes execute whose predicate says so.
 */
final class Guarded extends LaneInstruction {

	private final LaneInstruction instruction;

	private final int flag;

	private final int flip;

	Guarded(Statement statement, LaneInstruction instruction, int flag) {
		super(statement);
		this.instruction = instruction;
		this.flag = flag;
		this.flip = statement.negated() ? -1 : 0;
	}

	@Override
	void execute(Warp warp, int lanes) {
		int chosen = lanes & (warp.flags()[this.flag] ^ this.flip);
		if (chosen != 0) {
			this.instruction.execute(warp, chosen);
		}
	}

}
