package io.ringkernel.compiler.pass;

import java.util.ArrayList;
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
	 * Finds the registers.
	 * @param code the code
	 * @param end where a branch leads that threads take which go on at one of the labels
	 * @return the registers at each label
	 */
	public static LiveRegisters of(Code code, Label end) {
		LiveRegisters registers = new LiveRegisters(code.instructions(), end);
		boolean changes = true;
		while (changes) {
			changes = registers.pass();
		}
		return registers;
	}

	/**
	 * Those at a label.
	 * @param label the label
	 * @return the registers, in the order in which they were made
	 */
	public List<Register> at(Label label) {
		List<Register> live = new ArrayList<>(this.atLabels.getOrDefault(label, Set.of()));
		live.sort(Comparator.comparingInt(Register::number));
		return live;
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
			live = new HashSet<>(this.atLabels.getOrDefault(jump.to(), Set.of()));
		}
		else if (instruction instanceof Instruction.Branch branch) {
			live = branch.to().equals(this.end) ? new HashSet<>() : live;
			live.addAll(this.atLabels.getOrDefault(branch.to(), Set.of()));
		}
		Register written = CommonValues.written(instruction);
		if (written != null && !isGuarded(instruction)) {
			live.remove(written);
		}
		live.addAll(RegisterUse.read(instruction));
		return live;
	}

	/** Threads for which the guard does not hold keep what they have. */
	private static boolean isGuarded(Instruction instruction) {
		return instruction instanceof Instruction.Atomic atomic && atomic.guard() != null;
	}

}
