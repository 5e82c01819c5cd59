package io.ringkernel.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Tells whether all accessors of a record are those that a compiler supplies: they return
 * a field, so they neither throw nor wait. An accessor that somebody has written may do
 * both.
 */
final class PlainAccessors extends ClassVisitor {

	/** Where a class file states its major version. */
	private static final int MAJOR_VERSION = 6;

	private final Set<String> names;

	private final Set<String> plain = new HashSet<>();

	private PlainAccessors(Class<?> type) {
		super(Opcodes.ASM9);
		this.names = Arrays.stream(type.getRecordComponents())
			.map(RecordComponent::getName)
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Looks at the class file of a record.
	 * @return {@code false} as well where there is none, as for a class that was defined
	 * at run time, or none of a version that is known
	 */
	static boolean has(Class<?> type) {
		String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
		try (InputStream bytes = type.getResourceAsStream(file)) {
			return bytes != null && has(type, bytes.readAllBytes());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The class file of " + type.getName() + " cannot be read", ex);
		}
	}

	private static boolean has(Class<?> type, byte[] bytes) {
		if (ByteBuffer.wrap(bytes).getShort(MAJOR_VERSION) > Opcodes.V25) {
			return false;
		}
		PlainAccessors accessors = new PlainAccessors(type);
		new ClassReader(bytes).accept(accessors, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
		return accessors.plain.containsAll(accessors.names);
	}

	@Override
	public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
			String @Nullable [] exceptions) {
		boolean isAccessor = this.names.contains(name) && Type.getArgumentCount(descriptor) == 0;
		return isAccessor ? new Instructions(name) : null;
	}

	/** Collects what an accessor does: load itself, load the field, return it. */
	private final class Instructions extends MethodVisitor {

		private final String name;

		private final StringBuilder found = new StringBuilder();

		Instructions(String name) {
			super(Opcodes.ASM9);
			this.name = name;
		}

		@Override
		public void visitVarInsn(int opcode, int variable) {
			this.found.append((opcode == Opcodes.ALOAD && variable == 0) ? "this " : "? ");
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
			this.found.append((opcode == Opcodes.GETFIELD && field.equals(this.name)) ? "field " : "? ");
		}

		@Override
		public void visitInsn(int opcode) {
			this.found.append((opcode >= Opcodes.IRETURN && opcode <= Opcodes.ARETURN) ? "return" : "? ");
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
			this.found.append("? ");
		}

		@Override
		public void visitEnd() {
			if (this.found.toString().equals("this field return")) {
				PlainAccessors.this.plain.add(this.name);
			}
		}

	}

}
