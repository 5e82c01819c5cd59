package io.ringkernel.compiler.pass;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterUse;

/**
 * The registers that code reads behind a label before it writes them: what a thread needs
 * that goes on there.
 *
 * @since 0.2.0
 */
public final class LiveRegisters {

	private final List<Instruction> instructions;

	private final Label end;

	private final Map<Label, Set<Register>> atLabels = new HashMap<>();

	private LiveRegisters(List<Instruction> instructions, Label end) {
		this.instructions = instructions;
		this.end = end;
	}

	/**
	 * Finds the registers at each label.
	 * @param end where a branch leads that threads take which go on at one of the labels
	 */
	public static LiveRegisters of(Code code, Label end) {
		LiveRegisters registers = new LiveRegisters(code.instructions(), end);
		while (registers.pass()) {
			// More is known of a label, which others may lead to.
		}
		return registers;
	}

	/** Those at a label, in the order in which they were made. */
	public List<Register> at(Label label) {
		return known(label).stream().sorted(Comparator.comparingInt(Register::number)).toList();
	}

	private Set<Register> known(Label label) {
		return this.atLabels.getOrDefault(label, Set.of());
	}

	/** From the end to the beginning; tells whether more is known of a label. */
	private boolean pass() {
		boolean changes = false;
		Set<Register> live = new HashSet<>();
		for (int i = this.instructions.size() - 1; i >= 0; i--) {
			Instruction instruction = this.instructions.get(i);
			if (instruction instanceof Instruction.Mark mark) {
				changes |= this.atLabels.computeIfAbsent(mark.label(), (any) -> new HashSet<>()).addAll(live);
			}
			live = before(instruction, live);
		}
		return changes;
	}

	private Set<Register> before(Instruction instruction, Set<Register> behind) {
		Set<Register> live = behind;
		if (instruction instanceof Instruction.Return) {
			live = new HashSet<>();
		}
		else if (instruction instanceof Instruction.Jump jump) {
			live = new HashSet<>(known(jump.to()));
		}
		else if (instruction instanceof Instruction.Branch branch) {
			live = branch.to().equals(this.end) ? new HashSet<>() : live;
			live.addAll(known(branch.to()));
		}
		Register written = CommonValues.written(instruction);
		// Threads for which the guard does not hold keep what they have.
		boolean isGuarded = instruction instanceof Instruction.Atomic atomic && atomic.guard() != null;
		if (written != null && !isGuarded) {
			live.remove(written);
		}
		live.addAll(RegisterUse.read(instruction));
		return live;
	}

}
