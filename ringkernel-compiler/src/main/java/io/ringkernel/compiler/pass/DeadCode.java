package io.ringkernel.compiler.pass;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterUse;

/**
 * Leaves out what nothing reads.
 *
 * @since 0.2.0
 */
public final class DeadCode {

	private DeadCode() {
	}

	/** Leaves out values that nothing reads, or none but values that are left out. */
	public static void omit(Code code) {
		boolean shrinks = true;
		while (shrinks) {
			List<Instruction> all = code.cut(0);
			Set<Register> read = new HashSet<>();
			all.forEach((instruction) -> read.addAll(RegisterUse.read(instruction)));
			all.stream().filter((instruction) -> !isDead(instruction, read)).forEach(code::add);
			shrinks = code.instructions().size() < all.size();
		}
	}

	private static boolean isDead(Instruction instruction, Set<Register> read) {
		Register to = RegisterUse.written(instruction);
		return to != null && !read.contains(to) && !(instruction instanceof Instruction.Atomic);
	}

}
