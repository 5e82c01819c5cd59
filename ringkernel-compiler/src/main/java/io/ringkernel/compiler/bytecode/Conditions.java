package io.ringkernel.compiler.bytecode;

import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * The conditions of branches. The JVM compares two long or floating-point numbers by one
 * instruction, and branches on what that gives by the next; both are one comparison here.
 */
final class Conditions {

	private final Translation translation;

	private final StackFrame frame;

	/** The comparison on the stack that the next branch makes; 0 if none. */
	private int compared;

	Conditions(Translation translation, StackFrame frame) {
		this.translation = translation;
		this.frame = frame;
	}

	/**
	 * Leaves a comparison to the branch behind it.
	 * @return whether the instruction is such a comparison
	 */
	boolean leaves(AbstractInsnNode instruction) {
		int opcode = instruction.getOpcode();
		boolean leaves = opcode >= Opcodes.LCMP && opcode <= Opcodes.DCMPG && isBranch(instruction.getNext());
		if (leaves) {
			this.compared = opcode;
		}
		return leaves;
	}

	/** Whether an instruction looks at what a comparison of two numbers gave. */
	private static boolean isBranch(AbstractInsnNode instruction) {
		return instruction.getOpcode() >= Opcodes.IFEQ && instruction.getOpcode() <= Opcodes.IFLE;
	}

	/** Whether a branch is taken. */
	Register of(int opcode) {
		if (opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL) {
			throw this.translation.refuse("a reference is compared with null", "Use a value that is never null.");
		}
		Comparison comparison = comparison(opcode);
		boolean two = opcode >= Opcodes.IF_ICMPEQ || this.compared != 0;
		Value second = two ? this.frame.pop() : Value.of(Constant.ZERO);
		Value first = this.frame.pop();
		Operand right = comparable(second);
		Operand left = comparable(first);
		boolean unordered = this.compared != 0 && comparison.holds(unorderedAs(this.compared));
		this.compared = 0;
		if (isEnum(first) && isEnum(second) && !first.shape().equals(second.shape())) {
			// They differ, whatever their ordinals.
			return this.translation.code().compare(comparison, Constant.ZERO, Constant.of(1));
		}
		return this.translation.code().compare(comparison, unordered && left.type().isFloating(), left, right);
	}

	private static boolean isEnum(Value value) {
		return value.shape() instanceof Shape.EnumOf;
	}

	private Operand comparable(Value value) {
		if (!(value.shape() instanceof Shape.Scalar) && !isEnum(value)) {
			throw this.translation.refuse("objects are compared by identity", "Compare what they hold.");
		}
		return value.scalar();
	}

	/** What the comparison of something that is no number gives. */
	private static int unorderedAs(int opcode) {
		return (opcode == Opcodes.FCMPG || opcode == Opcodes.DCMPG) ? 1 : -1;
	}

	private static Comparison comparison(int opcode) {
		return switch (opcode) {
			case Opcodes.IFEQ, Opcodes.IF_ICMPEQ, Opcodes.IF_ACMPEQ -> Comparison.EQ;
			case Opcodes.IFNE, Opcodes.IF_ICMPNE, Opcodes.IF_ACMPNE -> Comparison.NE;
			case Opcodes.IFLT, Opcodes.IF_ICMPLT -> Comparison.LT;
			case Opcodes.IFGE, Opcodes.IF_ICMPGE -> Comparison.GE;
			case Opcodes.IFGT, Opcodes.IF_ICMPGT -> Comparison.GT;
			case Opcodes.IFLE, Opcodes.IF_ICMPLE -> Comparison.LE;
			default -> throw new IllegalArgumentException("opcode " + opcode + " is no comparison");
		};
	}

}
