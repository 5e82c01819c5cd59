package io.ringkernel.compiler.pass;

import java.util.HashSet;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterUse;
import org.jspecify.annotations.Nullable;

/**
 * The registers that hold addresses of shared memory and nothing else. A device need not
 * look where such an address leads, and is done with the access sooner.
 * <p>
 * Some of what a function takes is known to be one. What is made of one is one as well,
 * if it is made of nothing else and used for accesses alone.
 *
 * @since 0.2.0
 */
public final class SharedAddresses {

	private final Set<Register> taken;

	private final Set<Register> made = new HashSet<>();

	private SharedAddresses(Set<Register> taken) {
		this.taken = taken;
	}

	/**
	 * Finds the addresses of code.
	 * @param taken those that its function takes, which nothing writes to
	 */
	public static SharedAddresses of(Code code, Set<Register> taken) {
		SharedAddresses addresses = new SharedAddresses(taken);
		boolean changes = true;
		while (changes) {
			changes = false;
			for (Instruction instruction : code.instructions()) {
				Register made = addresses.madeBy(instruction);
				changes |= made != null && addresses.made.add(made);
			}
		}
		changes = true;
		while (changes) {
			changes = addresses.made.removeAll(addresses.otherwiseUsed(code));
		}
		return addresses;
	}

	/**
	 * Whether a register is one of those that the function takes. Where it is not used as
	 * an address of shared memory, it is a generic one.
	 */
	public boolean isTaken(Register register) {
		return this.taken.contains(register);
	}

	/** Whether an operand is an address of shared memory. */
	public boolean contains(Operand operand) {
		return operand instanceof Register register && (isTaken(register) || this.made.contains(register));
	}

	/** What an instruction makes of one of the addresses, and of nothing else. */
	private @Nullable Register madeBy(Instruction instruction) {
		if (instruction instanceof Instruction.Move move) {
			return contains(move.from()) ? move.to() : null;
		}
		return (instruction instanceof Instruction.Binary binary && binary.operator() == Operator.ADD
				&& contains(binary.left()) != contains(binary.right())) ? binary.to() : null;
	}

	/** Those that are made or used in another way as well. */
	private Set<Register> otherwiseUsed(Code code) {
		Set<Register> others = new HashSet<>();
		for (Instruction instruction : code.instructions()) {
			Register made = madeBy(instruction);
			Register written = CommonValues.written(instruction);
			if (written != null && !written.equals(made)) {
				others.add(written);
			}
			boolean keeps = made != null && contains(made);
			RegisterUse.read(instruction)
				.stream()
				.filter((register) -> !keeps && !isAccess(instruction, register))
				.forEach(others::add);
		}
		return others;
	}

	private static boolean isAccess(Instruction instruction, Register address) {
		return instruction instanceof Instruction.Load
				|| (instruction instanceof Instruction.Store store && !store.value().equals(address));
	}

}
