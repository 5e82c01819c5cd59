package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.message.buffer.MessageBuffer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates the class that moves one record: {@link RecordCodec} with its loops unrolled.
 * Accessors, constructor and the codecs of components are constants of the class, so the
 * JIT compiler inlines them, and primitives are never boxed. The class is hidden: it is
 * unloaded with the layout. The class of a message that is small and simple is a
 * {@link PackedCodec} as well.
 */
final class GeneratedCodec {

	private static final String CODEC = Type.getInternalName(Codec.class);

	private static final MethodType MEASURE = MethodType.methodType(int.class, int.class, Object.class);

	private static final MethodType WRITE = MEASURE.appendParameterTypes(MessageBuffer.class, int.class);

	private static final MethodType READ = MethodType.methodType(Object.class, MessageBuffer.class, int.class,
			int.class);

	private static final MethodType PACK = MethodType.methodType(void.class, int.class, Object.class, LongBuffer.class,
			long.class);

	private static final MethodType UNPACK = MethodType.methodType(Object.class, LongBuffer.class, int.class,
			long.class);

	private static final MethodType MOVE = MethodType.methodType(void.class, MessageBuffer.class, int.class);

	private static final Handle CONSTANT = new Handle(Opcodes.H_INVOKESTATIC, Type.getInternalName(MethodHandles.class),
			"classDataAt",
			MethodType.methodType(Object.class, MethodHandles.Lookup.class, String.class, Class.class, int.class)
				.toMethodDescriptorString(),
			false);

	private final RecordCodec codec;

	private final List<Object> constants = new ArrayList<>();

	private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);

	private GeneratedCodec(RecordCodec codec) {
		this.codec = codec;
	}

	static Codec of(RecordCodec codec) {
		return new GeneratedCodec(codec).define();
	}

	private Codec define() {
		boolean isPacked = PackedCode.applies(this.codec);
		this.writer.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, CODEC + "Of", null, "java/lang/Object",
				new String[] { isPacked ? Type.getInternalName(PackedCodec.class) : CODEC });
		constructor();
		measure();
		write();
		read();
		if (isPacked) {
			pack();
			unpack();
		}
		this.writer.visitEnd();
		try {
			MethodHandles.Lookup defined = MethodHandles.lookup()
				.defineHiddenClassWithClassData(this.writer.toByteArray(), this.constants, true);
			return (Codec) defined.findConstructor(defined.lookupClass(), MethodType.methodType(void.class)).invoke();
		}
		catch (Throwable ex) {
			throw new IllegalStateException("The codec of " + this.codec.site() + " cannot be defined", ex);
		}
	}

	private void constructor() {
		MethodVisitor code = method(0, "<init>", MethodType.methodType(void.class));
		code.visitVarInsn(Opcodes.ALOAD, 0);
		code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
		end(code, Opcodes.RETURN);
	}

	private void measure() {
		MethodVisitor code = method(Opcodes.ACC_PUBLIC, "measure", MEASURE);
		require(code);
		for (RecordCodec.Part part : this.codec.parts()) {
			if (!(part.codec() instanceof PrimitiveCodec)) {
				constant(code, part.codec(), Codec.class);
				code.visitVarInsn(Opcodes.ILOAD, 1);
				value(code, part);
				codec(code, "measure", MEASURE);
				code.visitVarInsn(Opcodes.ISTORE, 1);
			}
		}
		code.visitVarInsn(Opcodes.ILOAD, 1);
		end(code, Opcodes.IRETURN);
	}

	private void write() {
		MethodVisitor code = method(Opcodes.ACC_PUBLIC, "write", WRITE);
		require(code);
		for (RecordCodec.Gap gap : this.codec.gaps()) {
			constant(code, gap, RecordCodec.Gap.class);
			code.visitVarInsn(Opcodes.ALOAD, 3);
			code.visitVarInsn(Opcodes.ILOAD, 4);
			virtual(code, RecordCodec.Gap.class, "zero", MOVE);
		}
		for (RecordCodec.Part part : this.codec.parts()) {
			if (part.codec() instanceof PrimitiveCodec primitive) {
				constant(code, primitive, PrimitiveCodec.class);
				value(code, part);
				code.visitVarInsn(Opcodes.ALOAD, 3);
				code.visitVarInsn(Opcodes.ILOAD, 4);
				virtual(code, PrimitiveCodec.class, "write", MOVE.insertParameterTypes(0, primitive.type().type()));
			}
			else {
				constant(code, part.codec(), Codec.class);
				code.visitVarInsn(Opcodes.ILOAD, 1);
				value(code, part);
				code.visitVarInsn(Opcodes.ALOAD, 3);
				code.visitVarInsn(Opcodes.ILOAD, 4);
				codec(code, "write", WRITE);
				code.visitVarInsn(Opcodes.ISTORE, 1);
			}
		}
		code.visitVarInsn(Opcodes.ILOAD, 1);
		end(code, Opcodes.IRETURN);
	}

	private void read() {
		MethodVisitor code = method(Opcodes.ACC_PUBLIC, "read", READ);
		constant(code, this.codec.constructor(), MethodHandle.class);
		for (RecordCodec.Part part : this.codec.parts()) {
			if (part.codec() instanceof PrimitiveCodec primitive) {
				Class<?> type = primitive.type().type();
				constant(code, primitive, PrimitiveCodec.class);
				code.visitVarInsn(Opcodes.ALOAD, 1);
				code.visitVarInsn(Opcodes.ILOAD, 2);
				virtual(code, PrimitiveCodec.class, type.getName() + "At", MOVE.changeReturnType(type));
			}
			else {
				constant(code, part.codec(), Codec.class);
				code.visitVarInsn(Opcodes.ALOAD, 1);
				code.visitVarInsn(Opcodes.ILOAD, 2);
				code.visitVarInsn(Opcodes.ILOAD, 3);
				codec(code, "read", READ);
			}
		}
		virtual(code, MethodHandle.class, "invokeExact", this.codec.constructor().type());
		end(code, Opcodes.ARETURN);
	}

	private void pack() {
		MethodVisitor code = method(Opcodes.ACC_PUBLIC, "pack", PACK);
		PackedCode packed = new PackedCode(code, this.codec.site().fixedSize());
		for (RecordCodec.Part part : this.codec.parts()) {
			value(code, part);
			packed.put((PrimitiveCodec) part.codec());
		}
		packed.store();
		end(code, Opcodes.RETURN);
	}

	private void unpack() {
		MethodVisitor code = method(Opcodes.ACC_PUBLIC, "unpack", UNPACK);
		PackedCode packed = new PackedCode(code, this.codec.site().fixedSize());
		Label torn = new Label();
		packed.load(torn);
		constant(code, this.codec.constructor(), MethodHandle.class);
		for (RecordCodec.Part part : this.codec.parts()) {
			packed.get((PrimitiveCodec) part.codec());
		}
		virtual(code, MethodHandle.class, "invokeExact", this.codec.constructor().type());
		code.visitInsn(Opcodes.ARETURN);
		code.visitLabel(torn);
		code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
		code.visitInsn(Opcodes.ACONST_NULL);
		end(code, Opcodes.ARETURN);
	}

	private MethodVisitor method(int access, String name, MethodType type) {
		MethodVisitor code = this.writer.visitMethod(access, name, type.toMethodDescriptorString(), null, null);
		code.visitCode();
		return code;
	}

	private static void end(MethodVisitor code, int opcode) {
		code.visitInsn(opcode);
		code.visitMaxs(0, 0);
		code.visitEnd();
	}

	private void constant(MethodVisitor code, Object value, Class<?> type) {
		code.visitLdcInsn(new ConstantDynamic("_", type.descriptorString(), CONSTANT, this.constants.size()));
		this.constants.add(value);
	}

	/** Lets no {@code null} through in the place of the record. */
	private void require(MethodVisitor code) {
		constant(code, this.codec, RecordCodec.class);
		code.visitVarInsn(Opcodes.ALOAD, 2);
		virtual(code, RecordCodec.class, "required", MethodType.methodType(void.class, Object.class));
	}

	private void value(MethodVisitor code, RecordCodec.Part part) {
		constant(code, part.accessor(), MethodHandle.class);
		code.visitVarInsn(Opcodes.ALOAD, 2);
		virtual(code, MethodHandle.class, "invokeExact", part.accessor().type());
	}

	private static void virtual(MethodVisitor code, Class<?> owner, String name, MethodType type) {
		code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, Type.getInternalName(owner), name, type.toMethodDescriptorString(),
				false);
	}

	private static void codec(MethodVisitor code, String name, MethodType type) {
		code.visitMethodInsn(Opcodes.INVOKEINTERFACE, CODEC, name, type.toMethodDescriptorString(), true);
	}

}
