package io.ringkernel.compiler;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.RefusalTests.Numbers;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes a handler that calls a function which the JDK of the build may lack.
 */
final class FunctionCaller extends ClassLoader {

	private static final String NAME = "io/ringkernel/compiler/Calling";

	private final ClassWriter written = new ClassWriter(ClassWriter.COMPUTE_MAXS);

	FunctionCaller() {
		super(FunctionCaller.class.getClassLoader());
	}

	@SuppressWarnings("unchecked")
	RingKernelHandler<Numbers, Numbers> handler(String owner, String function, String descriptor) {
		String object = Type.getInternalName(Object.class);
		String numbers = Type.getDescriptor(Numbers.class);
		this.written.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, NAME, null, object,
				new String[] { Type.getInternalName(RingKernelHandler.class) });
		MethodVisitor made = this.written.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
		made.visitVarInsn(Opcodes.ALOAD, 0);
		made.visitMethodInsn(Opcodes.INVOKESPECIAL, object, "<init>", "()V", false);
		made.visitInsn(Opcodes.RETURN);
		made.visitMaxs(0, 0);
		MethodVisitor handle = this.written.visitMethod(Opcodes.ACC_PUBLIC, "handle",
				"(%s)%s".formatted(numbers, numbers), null, null);
		handle.visitInsn(Opcodes.FCONST_0);
		handle.visitInsn(Opcodes.FCONST_0);
		handle.visitInsn(Opcodes.FDIV);
		handle.visitMethodInsn(Opcodes.INVOKESTATIC, owner, function, descriptor, false);
		handle.visitInsn(Opcodes.POP);
		handle.visitVarInsn(Opcodes.ALOAD, 1);
		handle.visitInsn(Opcodes.ARETURN);
		handle.visitMaxs(0, 0);
		byte[] bytes = this.written.toByteArray();
		try {
			return (RingKernelHandler<Numbers, Numbers>) defineClass(null, bytes, 0, bytes.length).getConstructor()
				.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public InputStream getResourceAsStream(String name) {
		return name.equals(NAME + ".class") ? new ByteArrayInputStream(this.written.toByteArray())
				: super.getResourceAsStream(name);
	}

}
