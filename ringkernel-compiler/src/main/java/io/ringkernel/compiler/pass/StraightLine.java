package io.ringkernel.compiler.pass;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.RegisterUse;
import io.ringkernel.compiler.ir.Renaming;
import org.jspecify.annotations.Nullable;

/**
 * Code without a branch, except for those that leave it: what a loop does with an index,
 * so that several indices can be taken at once.
 *
 * @since 0.2.0
 */
public record StraightLine(List<Instruction> instructions) {

	/**
	 * Takes code for straight, if it is: the same without jumps to what follows anyway.
	 * {@code null} if it branches within, or leaves behind an instruction that stores.
	 */
	public static @Nullable StraightLine of(List<Instruction> code) {
		List<Instruction> instructions = new ArrayList<>();
		Set<Label> passed = new HashSet<>();
		boolean stores = false;
		for (int i = code.size() - 1; i >= 0; i--) {
			Instruction instruction = code.get(i);
			if (instruction instanceof Instruction.Mark mark) {
				passed.add(mark.label());
			}
			else if (!(instruction instanceof Instruction.Jump jump && isNext(code, i, jump.to()))) {
				instructions.add(0, instruction);
			}
		}
		for (Instruction instruction : instructions) {
			boolean leaves = instruction instanceof Instruction.Branch branch && !passed.contains(branch.to());
			if ((leaves && stores) || !(leaves || isPlain(instruction))) {
				return null;
			}
			stores |= !isRepeatable(instruction);
		}
		return new StraightLine(propagated(instructions));
	}

	/** Reads what a register is copied from, if neither changes. The copies remain. */
	private static List<Instruction> propagated(List<Instruction> instructions) {
		Map<Register, Long> writes = instructions.stream()
			.filter(Instruction.Writing.class::isInstance)
			.collect(Collectors.groupingBy((writing) -> ((Instruction.Writing) writing).to(), Collectors.counting()));
		Renaming origins = new Renaming();
		List<Instruction> result = new ArrayList<>();
		Set<Register> written = new HashSet<>();
		for (Instruction instruction : instructions) {
			Instruction propagated = origins.copy(instruction);
			result.add(propagated);
			if (propagated instanceof Instruction.Move move && isStable(move.to(), writes)
					&& isStable(move.from(), writes) && !isYetToChange(move.from(), writes, written)) {
				origins.with(move.to(), move.from());
			}
			Register register = RegisterUse.written(instruction);
			if (register != null) {
				written.add(register);
			}
		}
		return result;
	}

	/** Whether a register holds what was there before the code, and does not stay so. */
	private static boolean isYetToChange(Operand from, Map<Register, Long> writes, Set<Register> written) {
		return from instanceof Register register && writes.containsKey(register) && !written.contains(register);
	}

	/** An address and a predicate stay in registers. */
	private static boolean isStable(Operand from, Map<Register, Long> writes) {
		return (from instanceof Register register) ? writes.getOrDefault(register, 0L) <= 1
				: from.type() == RegisterType.INT;
	}

	private static boolean isNext(List<Instruction> code, int jump, Label to) {
		for (Instruction next : code.subList(jump + 1, code.size())) {
			if (next instanceof Instruction.Mark mark && mark.label().equals(to)) {
				return true;
			}
			if (!(next instanceof Instruction.Mark || next instanceof Instruction.Source)) {
				return false;
			}
		}
		return false;
	}

	private static boolean isPlain(Instruction instruction) {
		return instruction instanceof Instruction.Source || instruction instanceof Instruction.Store
				|| RegisterUse.written(instruction) != null;
	}

	/** Whether there is a way out of it. */
	public boolean leaves() {
		return this.instructions.stream().anyMatch(Instruction.Branch.class::isInstance);
	}

	/** Whether it does nothing but compute: it neither leaves nor stores. */
	public boolean isPure() {
		return !leaves() && this.instructions.stream().allMatch(StraightLine::isRepeatable);
	}

	/** Whether it reads memory, which takes longer than all else. */
	public boolean loads() {
		return this.instructions.stream().anyMatch(Instruction.Load.class::isInstance);
	}

	/** The registers that it writes, in order. */
	public Set<Register> written() {
		return RegisterUse.written(this.instructions);
	}

	/**
	 * The same without the checks that an index is below a limit which does not change.
	 * @param limits takes the limits
	 */
	public StraightLine withoutChecks(Register index, Set<Operand> limits) {
		Set<Register> written = written();
		List<Instruction> rest = new ArrayList<>();
		for (int i = 0; i < this.instructions.size(); i++) {
			Instruction instruction = this.instructions.get(i);
			if (i + 1 < this.instructions.size() && instruction instanceof Instruction.Compare compare
					&& compare.comparison() == Comparison.NOT_BELOW && compare.left().equals(index)
					&& !(compare.right() instanceof Register limit && written.contains(limit))
					&& this.instructions.get(i + 1) instanceof Instruction.Branch branch && branch.when()
					&& branch.predicate().equals(compare.to())) {
				limits.add(compare.right());
				i++;
			}
			else {
				rest.add(instruction);
			}
		}
		return new StraightLine(rest);
	}

	/**
	 * The same with its loads behind everything that does not need them, checks above
	 * all, so that they are under way together: no load is made while a branch may yet
	 * leave. A check may come before a load that it came behind, since a load does
	 * nothing else; the checks keep their order. What stores, and all behind it, stays
	 * where it is.
	 */
	public StraightLine withLoadsTogether() {
		List<Instruction> early = new ArrayList<>();
		List<Instruction> late = new ArrayList<>();
		Set<Register> read = new HashSet<>();
		Set<Register> written = new HashSet<>();
		boolean leaves = false;
		int next = 0;
		for (; next < this.instructions.size() && isRepeatable(this.instructions.get(next)); next++) {
			Instruction instruction = this.instructions.get(next);
			List<Register> reads = RegisterUse.read(instruction);
			Register writes = RegisterUse.written(instruction);
			boolean isLate = instruction instanceof Instruction.Load || !Collections.disjoint(reads, written)
					|| read.contains(writes) || written.contains(writes)
					|| (leaves && instruction instanceof Instruction.Branch);
			if (isLate) {
				late.add(instruction);
				read.addAll(reads);
				if (writes != null) {
					written.add(writes);
				}
				leaves |= instruction instanceof Instruction.Branch;
			}
			else {
				early.add(instruction);
			}
		}
		List<Instruction> all = new ArrayList<>(early);
		all.addAll(late);
		all.addAll(this.instructions.subList(next, this.instructions.size()));
		return new StraightLine(all);
	}

	static boolean isRepeatable(Instruction instruction) {
		return !(instruction instanceof Instruction.Store || instruction instanceof Instruction.Atomic);
	}

}
