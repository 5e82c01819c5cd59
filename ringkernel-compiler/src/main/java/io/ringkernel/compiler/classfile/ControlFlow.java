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
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The ways through a method.
 *
 * @since 0.2.0
 */
public record ControlFlow(MethodNode method) {

	/** Whether a run may do an instruction, and later another one or the same. */
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

	/** Whether ways from an instruction on read a local before they give it a value. */
	public boolean reads(AbstractInsnNode from, int local) {
		Set<AbstractInsnNode> seen = new HashSet<>();
		Deque<AbstractInsnNode> ahead = new ArrayDeque<>(List.of(from));
		while (!ahead.isEmpty()) {
			AbstractInsnNode instruction = ahead.pop();
			if (!seen.add(instruction)) {
				continue;
			}
			if (instruction instanceof IincInsnNode increment && increment.var == local) {
				return true;
			}
			if (!(instruction instanceof VarInsnNode access) || access.var != local) {
				ahead.addAll(next(instruction));
			}
			else if (access.getOpcode() < Opcodes.ISTORE) {
				return true;
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
		InsnList all = this.method.instructions;
		int at = all.indexOf(instruction);
		for (TryCatchBlockNode guarded : this.method.tryCatchBlocks) {
			if (all.indexOf(guarded.start) <= at && at < all.indexOf(guarded.end)) {
				next.add(guarded.handler);
			}
		}
		return next;
	}

}
