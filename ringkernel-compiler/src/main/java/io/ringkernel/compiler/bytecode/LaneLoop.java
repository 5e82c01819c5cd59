package io.ringkernel.compiler.bytecode;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;

/**
 * A loop over indices at a distance of each other.
 */
final class LaneLoop {

	private final Code code;

	private final Register index;

	private final Operand step;

	private final Label head = new Label();

	private final Label behind = new Label();

	private LaneLoop(Code code, Operand first, Operand step) {
		this.code = code;
		this.index = code.copy(first);
		this.step = step;
	}

	/** Begins a loop in which each thread takes the indices that are its own. */
	static LaneLoop begin(Translation translation, Operand count) {
		return begin(translation.code, translation.lane, count, translation.lanes);
	}

	/**
	 * Begins a loop. A step beyond the greatest {@code int} is no index: they are
	 * compared as unsigned numbers.
	 * @param first the first index
	 * @param count what all indices are below; not negative
	 * @param step the distance
	 */
	static LaneLoop begin(Code code, Operand first, Operand count, Operand step) {
		LaneLoop loop = new LaneLoop(code, first, step);
		code.add(new Instruction.Mark(loop.head));
		Register isBehind = code.compare(Comparison.NOT_BELOW, loop.index, count);
		code.add(new Instruction.Branch(isBehind, true, loop.behind));
		return loop;
	}

	Register index() {
		return this.index;
	}

	/** What is behind the loop. */
	Label behind() {
		return this.behind;
	}

	void end() {
		this.code.add(new Instruction.Binary(Operator.ADD, this.index, this.index, this.step));
		this.code.add(new Instruction.Jump(this.head));
		this.code.add(new Instruction.Mark(this.behind));
	}

}
