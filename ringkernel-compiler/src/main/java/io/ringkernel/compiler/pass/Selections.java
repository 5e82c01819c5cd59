package io.ringkernel.compiler.pass;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.RegisterUse;
import io.ringkernel.compiler.ir.Renaming;

/**
 * Replaces a branch around a few computations by the computations and a selection of
 * their results, once the ways meet again. Threads of a warp that go different ways go
 * both of them, one after the other, and a loop whose body has no branch can take several
 * indices at a time.
 *
 * @since 0.2.0
 */
public final class Selections {

	/** What both ways compute at most, beside copies. */
	private static final int MAX_COMPUTED = 12;

	private static final int MAX_SELECTED = 6;

	private final Code code;

	private final List<Instruction> instructions;

	private final Label end;

	private Selections(Code code, Label end) {
		this.code = code;
		this.instructions = code.instructions();
		this.end = end;
	}

	/**
	 * Replaces the branches whose ways meet at the end of the code.
	 * @param code ends with the mark where they meet
	 * @param alternatives labels that a single branch of the method leads to. A loop that
	 * is replaced by its iterations has copied that branch.
	 */
	public static void replace(Code code, Set<Label> alternatives) {
		int last = code.instructions().size() - 1;
		Label end = ((Instruction.Mark) code.instructions().get(last)).label();
		while (new Selections(code, end).replace(alternatives)) {
			// What was replaced may be one of the ways of a branch in front of it.
		}
	}

	private boolean replace(Set<Label> alternatives) {
		int last = this.instructions.size() - 1;
		int middle = begin(last);
		if (middle >= 0 && this.instructions.get(middle) instanceof Instruction.Branch branch) {
			return branch.to().equals(this.end)
					&& replace(branch, middle, this.instructions.subList(middle + 1, last), List.of());
		}
		if (middle < 1 || !(this.instructions.get(middle) instanceof Instruction.Mark mark)
				|| !alternatives.contains(mark.label()) || this.code.ways(mark.label()) != 1
				|| !this.instructions.get(middle - 1).equals(new Instruction.Jump(this.end))) {
			return false;
		}
		int first = begin(middle - 1);
		return first >= 0 && this.instructions.get(first) instanceof Instruction.Branch branch
				&& branch.to().equals(mark.label()) && replace(branch, first,
						this.instructions.subList(first + 1, middle - 1), this.instructions.subList(middle + 1, last));
	}

	/** What is in front of the computations that end before an instruction. */
	private int begin(int end) {
		int begin = end - 1;
		while (begin >= 0 && (this.instructions.get(begin) instanceof Instruction.Source
				|| isSpeculative(this.instructions.get(begin)))) {
			begin--;
		}
		return begin;
	}

	/** Whether an instruction can be made in vain, and takes no longer than a branch. */
	static boolean isSpeculative(Instruction instruction) {
		if (instruction instanceof Instruction.Binary binary) {
			return binary.operator() != Operator.DIV && binary.operator() != Operator.REM;
		}
		if (instruction instanceof Instruction.Unary unary) {
			return unary.operator() != Operator.SQRT;
		}
		return instruction instanceof Instruction.Move || instruction instanceof Instruction.Convert
				|| instruction instanceof Instruction.Compare || instruction instanceof Instruction.Select;
	}

	private boolean replace(Instruction.Branch condition, int branch, List<Instruction> straight,
			List<Instruction> aside) {
		Set<Register> selected = new LinkedHashSet<>(results(straight, condition));
		selected.addAll(results(aside, condition));
		if (computed(straight) + computed(aside) > MAX_COMPUTED || selected.size() > MAX_SELECTED
				|| selected.stream().anyMatch((register) -> register.type() == RegisterType.PREDICATE)) {
			return false;
		}
		List<Instruction> first = List.copyOf(straight);
		List<Instruction> second = List.copyOf(aside);
		this.code.cut(branch);
		Renaming passed = copied(first);
		Renaming taken = copied(second);
		for (Register register : selected) {
			Operand yes = condition.when() ? taken.of(register) : passed.of(register);
			Operand no = condition.when() ? passed.of(register) : taken.of(register);
			this.code.add(new Instruction.Select(register, condition.predicate(), yes, no));
		}
		this.code.mark(this.end);
		return true;
	}

	private static long computed(List<Instruction> way) {
		return way.stream()
			.filter((instruction) -> !(instruction instanceof Instruction.Source
					|| instruction instanceof Instruction.Move))
			.count();
	}

	/**
	 * What code behind may read: variables, and registers which are there before the
	 * branch. Nothing else outlives its way.
	 */
	private Set<Register> results(List<Instruction> way, Instruction.Branch condition) {
		Set<Register> results = RegisterUse.written(way);
		results.removeIf((register) -> !this.code.variables().contains(register)
				&& register.number() > condition.predicate().number());
		return results;
	}

	/** Adds a way that writes to registers of its own, none of which outlives it. */
	private Renaming copied(List<Instruction> way) {
		Renaming own = new Renaming(this.code, RegisterUse.written(way));
		Set<Register> written = new HashSet<>();
		List<Instruction> copies = new ArrayList<>();
		for (Instruction instruction : way) {
			for (Register read : RegisterUse.read(instruction)) {
				if (written.add(read) && own.of(read) instanceof Register copy && !copy.equals(read)) {
					this.code.add(new Instruction.Move(copy, read));
				}
			}
			copies.add(own.copy(instruction));
			Register to = RegisterUse.written(instruction);
			if (to != null) {
				written.add(to);
			}
		}
		copies.forEach(this.code::add);
		return own;
	}

}
