package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** An instruction that only those lanes execute whose predicate says so. */
record Guarded(Statement statement, LaneInstruction instruction, Source guard) implements LaneInstruction {

	@Override
	public void execute(Warp warp, int lanes) {
		int chosen = lanes & this.guard.of(warp);
		if (chosen != 0) {
			this.instruction.execute(warp, chosen);
		}
	}

}
