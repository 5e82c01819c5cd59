package io.ringkernel.compiler.pass;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.RegisterUse;

/**
 * The addresses that lead to what code writes: those that its stores and atomic steps
 * take, and all that these may be made of.
 *
 * @since 0.2.0
 */
public final class WrittenAddresses {

	private WrittenAddresses() {
	}

	/** Finds the addresses. */
	public static Set<Register> of(List<Instruction> instructions) {
		Set<Register> addresses = new HashSet<>();
		for (Instruction instruction : instructions) {
			if (instruction instanceof Instruction.Access access && !(access instanceof Instruction.Load)) {
				addresses.add(access.base());
			}
		}
		boolean grows = true;
		while (grows) {
			grows = false;
			for (Instruction instruction : instructions) {
				Register made = RegisterUse.written(instruction);
				if (made != null && addresses.contains(made) && !(instruction instanceof Instruction.Load)) {
					grows |= addresses.addAll(RegisterUse.read(instruction)
						.stream()
						.filter((register) -> register.type() == RegisterType.ADDRESS)
						.toList());
				}
			}
		}
		return addresses;
	}

}
