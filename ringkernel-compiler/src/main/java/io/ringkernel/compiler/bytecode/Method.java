package io.ringkernel.compiler.bytecode;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A method with its code.
 *
 * @param owner the class that declares it
 * @param node the method
 */
record Method(ClassNode owner, MethodNode node) {

	boolean isStatic() {
		return (this.node.access & Opcodes.ACC_STATIC) != 0;
	}

	/** Of the JDK, or in place of it: whose lines nobody can change. */
	boolean isPlatform() {
		return this.owner.name.startsWith("java/") || this.owner.name.startsWith("jdk/")
				|| this.owner.name.startsWith(Classes.STRICT) || this.owner.name.equals(ParallelLoops.PARALLEL);
	}

	String className() {
		return Type.getObjectType(this.owner.name).getClassName();
	}

	/** How many of its instructions give a local variable another value. */
	int assignments(int local) {
		int assignments = 0;
		for (var instruction : this.node.instructions) {
			if ((instruction instanceof IincInsnNode increment && increment.var == local)
					|| (instruction instanceof VarInsnNode access && access.var == local
							&& access.getOpcode() >= Opcodes.ISTORE)) {
				assignments++;
			}
		}
		return assignments;
	}

}
