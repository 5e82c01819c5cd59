package io.ringkernel.message;

import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The code of a {@link PackedCodec}: where the values of a record lie in the words of its
 * chunks is known when the class is generated, so it moves each by a shift or two. A
 * message is units of four bytes. A chunk holds three of them: both halves of its first
 * word, and the lower half of its second.
 */
final class PackedCode {

	/** The most bytes of a record: it has two local variables for each word. */
	private static final int MOST_BYTES = 31 * PackedCodec.CHUNK_DATA_BYTES;

	private static final String BUFFER = Type.getInternalName(LongBuffer.class);

	private static final int UNITS = PackedCodec.CHUNK_DATA_BYTES / Integer.BYTES;

	private static final long LOW_HALF = 0xffffffffL;

	/** The first word is in this local variable, the others behind it. */
	private static final int WORDS = 8;

	/** A value that is put into two words. */
	private static final int VALUE = 6;

	private final MethodVisitor code;

	private final boolean[] written;

	PackedCode(MethodVisitor code, int size) {
		this.code = code;
		this.written = new boolean[words(size)];
	}

	/**
	 * Whether a record can be moved so: it is a whole message, all it holds are
	 * primitives of four and eight bytes, and its accessors return them and do nothing
	 * else.
	 */
	static boolean applies(RecordCodec codec) {
		Site site = codec.site();
		return site.path().isEmpty() && site.fixedSize() <= MOST_BYTES
				&& codec.parts()
					.stream()
					.allMatch((part) -> part.codec() instanceof PrimitiveCodec primitive
							&& primitive.type().size() >= Integer.BYTES)
				&& PlainAccessors.has(site.message());
	}

	private static int words(int size) {
		return 2 * ((size + PackedCodec.CHUNK_DATA_BYTES - 1) / PackedCodec.CHUNK_DATA_BYTES);
	}

	// Packing: the buffer is local variable 3, where its words begin is 1, the tag is 4.

	/** Takes a value off the stack and puts it where it belongs. */
	void put(PrimitiveCodec codec) {
		int unit = codec.site().offset() / Integer.BYTES;
		switch (codec.type()) {
			case FLOAT -> bits(Float.class, "floatToRawIntBits", "(F)I");
			case DOUBLE -> bits(Double.class, "doubleToRawLongBits", "(D)J");
			default -> {
			}
		}
		if (codec.type().size() == Integer.BYTES) {
			this.code.visitInsn(Opcodes.I2L);
			putUnit(unit);
		}
		else if (unit % UNITS == 0) {
			or(word(unit));
		}
		else {
			this.code.visitVarInsn(Opcodes.LSTORE, VALUE);
			this.code.visitVarInsn(Opcodes.LLOAD, VALUE);
			putUnit(unit);
			this.code.visitVarInsn(Opcodes.LLOAD, VALUE);
			shift(Opcodes.LUSHR);
			or(word(unit + 1));
		}
	}

	/** Puts the lower half of a long on the stack into a unit. */
	private void putUnit(int unit) {
		if (isUpper(unit)) {
			shift(Opcodes.LSHL);
		}
		else {
			lowHalf();
		}
		or(word(unit));
	}

	private void or(int word) {
		if (this.written[word]) {
			this.code.visitVarInsn(Opcodes.LLOAD, WORDS + 2 * word);
			this.code.visitInsn(Opcodes.LOR);
		}
		this.code.visitVarInsn(Opcodes.LSTORE, WORDS + 2 * word);
		this.written[word] = true;
	}

	/** Stores first words, puts a fence and stores second words with the tag. */
	void store() {
		for (int word = 0; word < this.written.length; word += 2) {
			store(word);
		}
		fence("releaseFence");
		for (int word = 1; word < this.written.length; word += 2) {
			this.code.visitVarInsn(Opcodes.LLOAD, 4);
			or(word);
			store(word);
		}
	}

	private void store(int word) {
		this.code.visitVarInsn(Opcodes.ALOAD, 3);
		index(1, word);
		if (this.written[word]) {
			this.code.visitVarInsn(Opcodes.LLOAD, WORDS + 2 * word);
		}
		else {
			this.code.visitInsn(Opcodes.LCONST_0);
		}
		this.code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, BUFFER, "put", "(IJ)Ljava/nio/LongBuffer;", false);
		this.code.visitInsn(Opcodes.POP);
	}

	// Unpacking: the buffer is local variable 1, where its words begin is 2, the tag is
	// 3.

	/** Loads words with tags, and the others behind a fence. Jumps if a tag differs. */
	void load(Label torn) {
		loadEverySecond(1);
		fence("acquireFence");
		loadEverySecond(0);
		this.code.visitInsn(Opcodes.LCONST_0);
		for (int word = 1; word < this.written.length; word += 2) {
			this.code.visitVarInsn(Opcodes.LLOAD, WORDS + 2 * word);
			this.code.visitVarInsn(Opcodes.LLOAD, 3);
			this.code.visitInsn(Opcodes.LXOR);
			this.code.visitInsn(Opcodes.LOR);
		}
		shift(Opcodes.LUSHR);
		this.code.visitInsn(Opcodes.LCONST_0);
		this.code.visitInsn(Opcodes.LCMP);
		this.code.visitJumpInsn(Opcodes.IFNE, torn);
	}

	private void loadEverySecond(int first) {
		for (int word = first; word < this.written.length; word += 2) {
			this.code.visitVarInsn(Opcodes.ALOAD, 1);
			index(2, word);
			this.code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, BUFFER, "get", "(I)J", false);
			this.code.visitVarInsn(Opcodes.LSTORE, WORDS + 2 * word);
		}
	}

	private void fence(String name) {
		this.code.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(VarHandle.class), name, "()V", false);
	}

	/** Pushes a value. */
	void get(PrimitiveCodec codec) {
		int unit = codec.site().offset() / Integer.BYTES;
		if (codec.type().size() == Integer.BYTES) {
			getUnit(unit);
			this.code.visitInsn(Opcodes.L2I);
		}
		else if (unit % UNITS == 0) {
			this.code.visitVarInsn(Opcodes.LLOAD, WORDS + 2 * word(unit));
		}
		else {
			getUnit(unit);
			this.code.visitVarInsn(Opcodes.LLOAD, WORDS + 2 * word(unit + 1));
			shift(Opcodes.LSHL);
			this.code.visitInsn(Opcodes.LOR);
		}
		switch (codec.type()) {
			case FLOAT -> bits(Float.class, "intBitsToFloat", "(I)F");
			case DOUBLE -> bits(Double.class, "longBitsToDouble", "(J)D");
			default -> {
			}
		}
	}

	/** Pushes a unit as a long whose upper half is zero. */
	private void getUnit(int unit) {
		this.code.visitVarInsn(Opcodes.LLOAD, WORDS + 2 * word(unit));
		if (isUpper(unit)) {
			shift(Opcodes.LUSHR);
		}
		else {
			lowHalf();
		}
	}

	private static int word(int unit) {
		return unit / UNITS * 2 + ((unit % UNITS == UNITS - 1) ? 1 : 0);
	}

	private static boolean isUpper(int unit) {
		return unit % UNITS == 1;
	}

	private void index(int variable, int word) {
		this.code.visitVarInsn(Opcodes.ILOAD, variable);
		this.code.visitIntInsn(Opcodes.BIPUSH, word);
		this.code.visitInsn(Opcodes.IADD);
	}

	private void shift(int opcode) {
		this.code.visitIntInsn(Opcodes.BIPUSH, Integer.SIZE);
		this.code.visitInsn(opcode);
	}

	private void lowHalf() {
		this.code.visitLdcInsn(LOW_HALF);
		this.code.visitInsn(Opcodes.LAND);
	}

	private void bits(Class<?> owner, String name, String descriptor) {
		this.code.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(owner), name, descriptor, false);
	}

}
