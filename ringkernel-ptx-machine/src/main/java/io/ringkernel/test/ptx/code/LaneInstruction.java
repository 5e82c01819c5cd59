package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.machine.Warp;

/**
 * An instruction that each lane executes for itself, before it goes on with the next. The
 * classes of instructions repeat the loop over the lanes, so that the JVM compiles one
 * for each of them without a call for each lane.
 */
interface LaneInstruction extends StatementInstruction {

	@Override
	default int step(Warp warp, int lanes, int at) {
		execute(warp, lanes);
		return at + 1;
	}

	void execute(Warp warp, int lanes);

}
