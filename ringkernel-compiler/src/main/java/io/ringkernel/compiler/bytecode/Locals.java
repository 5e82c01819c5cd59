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
record Locals(Translation translation, Method method, StackFrame frame, ObjectAccess objects, Recovery recovery) {

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

	/** The declaration of an empty {@code Optional} has the type of its value. */
	private Value declared(Value value, VarInsnNode store) {
		LocalVariableNode variable = (value.shape() instanceof Shape.OptionalOf empty && empty.value() == null)
				? this.method.variable(store.var, store.getNext()) : null;
		return (variable != null) ? this.objects.absent(value, variable) : value;
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
