package io.ringkernel.compiler.classfile;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The ways through a method.
 *
 * @since 0.2.0
 */
public final class ControlFlow {

	private final MethodNode method;

	public ControlFlow(MethodNode method) {
		this.method = method;
	}

	/**
	 * Whether one run of the method may do an instruction, and later another one, or the
	 * same again.
	 */
	public boolean leads(AbstractInsnNode from, AbstractInsnNode to) {
		Set<AbstractInsnNode> seen = new HashSet<>();
		Deque<AbstractInsnNode> ahead = new ArrayDeque<>(next(from));
		while (!ahead.isEmpty()) {
			AbstractInsnNode instruction = ahead.pop();
			if (instruction.equals(to)) {
				return true;
			}
			if (seen.add(instruction)) {
				ahead.addAll(next(instruction));
			}
		}
		return false;
	}

	/**
	 * Whether the ways from an instruction on read a local before they give it a value.
	 */
	public boolean reads(AbstractInsnNode from, int local) {
		Set<AbstractInsnNode> seen = new HashSet<>();
		Deque<AbstractInsnNode> ahead = new ArrayDeque<>(List.of(from));
		while (!ahead.isEmpty()) {
			AbstractInsnNode instruction = ahead.pop();
			if (!seen.add(instruction)) {
				continue;
			}
			boolean isStored = false;
			if (instruction instanceof VarInsnNode access && access.var == local) {
				isStored = access.getOpcode() >= Opcodes.ISTORE;
				if (!isStored) {
					return true;
				}
			}
			if (instruction instanceof IincInsnNode increment && increment.var == local) {
				return true;
			}
			if (!isStored) {
				ahead.addAll(next(instruction));
			}
		}
		return false;
	}

	/** Whether the instruction behind it may be the next one. */
	public static boolean goesOn(AbstractInsnNode instruction) {
		int opcode = instruction.getOpcode();
		return !(opcode >= Opcodes.GOTO && opcode <= Opcodes.RETURN) && opcode != Opcodes.ATHROW;
	}

	private List<AbstractInsnNode> next(AbstractInsnNode instruction) {
		List<AbstractInsnNode> next = new ArrayList<>(Jumps.targets(instruction));
		if (goesOn(instruction) && instruction.getNext() != null) {
			next.add(instruction.getNext());
		}
		int at = this.method.instructions.indexOf(instruction);
		for (TryCatchBlockNode guarded : this.method.tryCatchBlocks) {
			if (this.method.instructions.indexOf(guarded.start) <= at
					&& at < this.method.instructions.indexOf(guarded.end)) {
				next.add(guarded.handler);
			}
		}
		return next;
	}

}
