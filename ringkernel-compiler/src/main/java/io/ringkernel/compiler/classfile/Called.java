package io.ringkernel.compiler.classfile;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A method as the code names it that calls it.
 *
 * @param owner the class in which it is looked for
 * @since 0.2.0
 */
public record Called(int opcode, String owner, String name, String descriptor) {

	public static Called of(MethodInsnNode call) {
		return new Called(call.getOpcode(), call.owner, call.name, call.desc);
	}

	public static Called of(Handle method) {
		int opcode = switch (method.getTag()) {
			case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
			case Opcodes.H_INVOKESPECIAL -> Opcodes.INVOKESPECIAL;
			case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
			default -> Opcodes.INVOKEVIRTUAL;
		};
		return new Called(opcode, method.getOwner(), method.getName(), method.getDesc());
	}

	public static Called ofStatic(String owner, String name, String descriptor) {
		return new Called(Opcodes.INVOKESTATIC, owner, name, descriptor);
	}

	public boolean isStatic() {
		return this.opcode == Opcodes.INVOKESTATIC;
	}

	/** Whether the object decides which method runs. */
	public boolean isVirtual() {
		return this.opcode == Opcodes.INVOKEVIRTUAL || this.opcode == Opcodes.INVOKEINTERFACE;
	}

	/** As a refusal names it. */
	public String inWords() {
		return "%s.%s".formatted(Type.getObjectType(this.owner).getClassName(), this.name);
	}

}
