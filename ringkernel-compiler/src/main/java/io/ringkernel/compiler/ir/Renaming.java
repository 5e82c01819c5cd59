package io.ringkernel.compiler.ir;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Copies instructions with other registers.
 *
 * @since 0.2.0
 */
public final class Renaming {

	private static final Label NOWHERE = new Label();

	private final Map<Register, Operand> names = new HashMap<>();

	/** Renames nothing yet. */
	public Renaming() {
	}

	/** Gives registers new ones of the code in their place. */
	public Renaming(Code code, Set<Register> registers) {
		registers.forEach((register) -> this.names.put(register, code.register(register.type())));
	}

	/** Reads an operand in place of a register, which is read only. */
	public Renaming with(Register register, Operand operand) {
		this.names.put(register, operand);
		return this;
	}

	/** Copies an instruction of straight code. A branch leads where it did. */
	public Instruction copy(Instruction instruction) {
		return copy(instruction, (instruction instanceof Instruction.Branch branch) ? branch.to() : NOWHERE);
	}

	/** Copies an instruction of straight code. A branch leads to the exit. */
	public Instruction copy(Instruction instruction, Label exit) {
		// @formatter:off
		if (instruction instanceof Instruction.Move move) {
			return new Instruction.Move(renamed(move.to()), of(move.from()));
		}
		if (instruction instanceof Instruction.Binary binary) {
			return new Instruction.Binary(binary.operator(), renamed(binary.to()), of(binary.left()), of(binary.right()));
		}
		if (instruction instanceof Instruction.Unary unary) {
			return new Instruction.Unary(unary.operator(), renamed(unary.to()), of(unary.from()));
		}
		if (instruction instanceof Instruction.FusedMultiplyAdd fma) {
			return new Instruction.FusedMultiplyAdd(renamed(fma.to()), of(fma.left()), of(fma.right()), of(fma.addend()));
		}
		if (instruction instanceof Instruction.Convert convert) {
			return new Instruction.Convert(convert.conversion(), renamed(convert.to()), of(convert.from()));
		}
		if (instruction instanceof Instruction.Compare compare) {
			return new Instruction.Compare(compare.comparison(), compare.unordered(), renamed(compare.to()), of(compare.left()), of(compare.right()));
		}
		if (instruction instanceof Instruction.Select select) {
			return new Instruction.Select(renamed(select.to()), renamed(select.predicate()), of(select.yes()), of(select.no()));
		}
		if (instruction instanceof Instruction.Load load) {
			return new Instruction.Load(load.as(), renamed(load.to()), renamed(load.base()), load.offset(), load.shared());
		}
		if (instruction instanceof Instruction.Store store) {
			return new Instruction.Store(store.as(), renamed(store.base()), store.offset(), of(store.value()), store.shared(), guard(store.guard()));
		}
		if (instruction instanceof Instruction.Atomic atomic) {
			Operand replacement = atomic.replacement();
			return new Instruction.Atomic(atomic.operation(), atomic.as(), renamed(atomic.to()), renamed(atomic.base()), of(atomic.operand()), (replacement != null) ? of(replacement) : null, atomic.global(), guard(atomic.guard()));
		}
		if (instruction instanceof Instruction.Call call) {
			return new Instruction.Call(call.function(), renamed(call.to()), call.arguments().stream().map(this::of).toList());
		}
		if (instruction instanceof Instruction.Branch branch) {
			return new Instruction.Branch(renamed(branch.predicate()), branch.when(), exit);
		}
		// @formatter:on
		return instruction;
	}

	private @Nullable Register guard(@Nullable Register guard) {
		return (guard != null) ? renamed(guard) : null;
	}

	private Register renamed(Register register) {
		return (Register) this.names.getOrDefault(register, register);
	}

	/** What is read in place of an operand. */
	public Operand of(Operand operand) {
		return (operand instanceof Register register) ? this.names.getOrDefault(register, register) : operand;
	}

}
