package io.ringkernel.compiler.translation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.Renaming;
import io.ringkernel.compiler.pass.Checks;
import io.ringkernel.compiler.pass.StraightLine;

/**
 * The part of a loop that takes several indices at a time, instruction by instruction, so
 * that what they load is under way together. It ends when fewer are left, or one of them
 * would fail. Nothing has been stored for these by then, and the loop behind it, which
 * takes one after another, comes to the same failure as Java.
 */
record WideLoop(Code code, Register index, Operand step) {

	private static final int WIDTH = 4;

	/** Beyond that, a thread has enough to do, and too few registers. */
	private static final int MAX_INSTRUCTIONS = 64;

	/** Whether indices gain by being taken together. */
	static boolean isWorthwhile(StraightLine independent, StraightLine ordered) {
		return independent.loads() && !ordered.leaves()
				&& independent.instructions().size() + ordered.instructions().size() <= MAX_INSTRUCTIONS;
	}

	/** Adds the loop over indices below a count, in front of the rest. */
	void add(Operand count, StraightLine independent, StraightLine ordered, Label rest) {
		Set<Operand> limits = new LinkedHashSet<>();
		StraightLine body = independent.withoutChecks(this.index, limits);
		Operand end = count;
		for (Operand limit : limits) {
			end = limit.equals(end) ? end : this.code.binary(Operator.MIN, limit, end);
		}
		Register reach = this.code.binary(Operator.MUL, this.step, Constant.of(WIDTH - 1));
		Label head = new Label();
		this.code.mark(head);
		Register last = this.code.binary(Operator.ADD, this.index, reach);
		Register isBehind = this.code.compare(Comparison.NOT_BELOW, last, end);
		this.code.branch(isBehind, true, rest);
		List<Renaming> copies = copies(body);
		int begin = this.code.instructions().size();
		for (Instruction instruction : body.instructions()) {
			add(instruction, copies, rest);
		}
		Checks.joined(this.code, this.code.cut(begin)).forEach(this.code::add);
		for (Renaming copy : copies) {
			ordered.instructions().forEach((instruction) -> this.code.add(copy.copy(instruction, rest)));
		}
		this.code.add(new Instruction.Binary(Operator.ADD, this.index, last, this.step));
		this.code.jump(head);
	}

	private List<Renaming> copies(StraightLine body) {
		Set<Register> written = body.written();
		List<Renaming> copies = new ArrayList<>();
		Operand at = this.index;
		for (int i = 0; i < WIDTH; i++) {
			copies.add(new Renaming(this.code, written).with(this.index, at));
			if (i + 1 < WIDTH) {
				at = this.code.binary(Operator.ADD, at, this.step);
			}
		}
		return copies;
	}

	private void add(Instruction instruction, List<Renaming> copies, Label rest) {
		if (instruction instanceof Instruction.Source) {
			this.code.add(instruction);
			return;
		}
		copies.forEach((copy) -> this.code.add(copy.copy(instruction, rest)));
	}

}
