package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.text.Statement;

/** An instruction that stands in the text. */
interface StatementInstruction extends Instruction {

	Statement statement();

	@Override
	default String describe() {
		return statement().describe();
	}

}
