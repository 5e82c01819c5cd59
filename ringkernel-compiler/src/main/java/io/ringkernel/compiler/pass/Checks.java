package io.ringkernel.compiler.pass;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.jspecify.annotations.Nullable;

/**
 * Joins branches to the same place: the code is left once, if any of the conditions holds
 * that it would have been left for.
 *
 * @since 0.2.0
 */
public final class Checks {

	private final Code code;

	private final boolean aside;

	private final List<Instruction> result = new ArrayList<>();

	/** What is not yet in the result: a branch, or those that it joins. */
	private Instruction.@Nullable Branch pending;

	private Checks(Code code, boolean aside) {
		this.code = code;
		this.aside = aside;
	}

	/**
	 * Joins the branches of straight code. No place that it is left for reads what it
	 * computes.
	 * @param code where the registers are of
	 */
	public static List<Instruction> joined(Code code, List<Instruction> instructions) {
		return new Checks(code, true).join(instructions);
	}

	/** Joins branches that nothing lies between but comparisons, wherever they lead. */
	public static void join(Code code) {
		new Checks(code, false).join(code.cut(0)).forEach(code::add);
	}

	private List<Instruction> join(List<Instruction> instructions) {
		for (Instruction instruction : instructions) {
			if (instruction instanceof Instruction.Branch branch && branch.when()) {
				join(branch);
			}
			else {
				if (!isCarriedOut(instruction)) {
					leave();
				}
				this.result.add(instruction);
			}
		}
		leave();
		return this.result;
	}

	private void join(Instruction.Branch branch) {
		if (this.pending == null || !this.pending.to().equals(branch.to())) {
			leave();
			this.pending = branch;
			return;
		}
		Register either = this.code.register(RegisterType.PREDICATE);
		this.result.add(new Instruction.Binary(Operator.OR, either, this.pending.predicate(), branch.predicate()));
		this.pending = new Instruction.Branch(either, true, branch.to());
	}

	private void leave() {
		if (this.pending != null) {
			this.result.add(this.pending);
			this.pending = null;
		}
	}

	/** Whether an instruction can be made although the code should have been left. */
	private boolean isCarriedOut(Instruction instruction) {
		return instruction instanceof Instruction.Source || instruction instanceof Instruction.Compare
				|| (this.aside && Selections.isSpeculative(instruction));
	}

}
