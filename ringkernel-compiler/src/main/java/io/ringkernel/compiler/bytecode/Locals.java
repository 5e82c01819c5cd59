package io.ringkernel.compiler.bytecode;

import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The opcodes of local variables.
 */
final class Locals {

	private final Translation translation;

	private final Method method;

	private final StackFrame frame;

	private final ObjectAccess objects;

	private final Recovery recovery;

	Locals(Translation translation, Method method, StackFrame frame, ObjectAccess objects, Recovery recovery) {
		this.translation = translation;
		this.method = method;
		this.frame = frame;
		this.objects = objects;
		this.recovery = recovery;
	}

	void access(VarInsnNode access) {
		int index = access.var;
		if (access.getOpcode() >= Opcodes.ISTORE) {
			Value value = declared(this.frame.pop(), access);
			Value home = this.frame.store(index, value);
			if (this.method.assignments(index) == 1 && !this.method.isParameter(index)) {
				this.translation.copied(value, home);
			}
		}
		else {
			this.frame.push(present(index, access));
		}
	}

	void increment(IincInsnNode increment) {
		this.frame.increment(increment.var, present(increment.var, increment), increment.incr);
	}

	/**
	 * Of an {@code Optional}, the declaration of the variable has the type of the value.
	 */
	private Value declared(Value value, VarInsnNode store) {
		if (value.shape() instanceof Shape.OptionalOf empty && empty.value() == null) {
			LocalVariableNode variable = this.method.variable(store.var, store.getNext());
			return (variable != null) ? this.objects.absent(value, variable) : value;
		}
		return value;
	}

	private Value present(int local, AbstractInsnNode read) {
		Value value = this.frame.local(local);
		if (value != null) {
			return value;
		}
		this.translation.refusals()
			.add(this.translation.refuse("%s has values of different kinds".formatted(named(local, read)),
					"Use one variable for each."));
		Value unknown = this.recovery.local(read, this.method.variable(local, read));
		this.frame.bind(local, unknown);
		return unknown;
	}

	/** A local variable as a refusal names it. */
	String named(int local, AbstractInsnNode at) {
		LocalVariableNode variable = this.method.variable(local, at);
		return (variable != null) ? "the local variable " + variable.name : "a local variable";
	}

}
