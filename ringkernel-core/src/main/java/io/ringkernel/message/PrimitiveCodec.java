package io.ringkernel.message;

import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves one primitive. {@link GeneratedCodec} calls the methods that take and return
 * primitives, by their signature and name. The boxed forms serve optional values and
 * {@link RecordCodec}.
 */
record PrimitiveCodec(Site site, PrimitiveType type) implements Codec {

	@Override
	public int measure(int end, @Nullable Object value) {
		return end;
	}

	@Override
	@SuppressWarnings("NullAway") // The box of a primitive.
	public int write(int end, @Nullable Object value, MessageBuffer target, int at) {
		switch (this.type) {
			case BOOLEAN -> write((boolean) value, target, at);
			case BYTE -> write((byte) value, target, at);
			case SHORT -> write((short) value, target, at);
			case CHAR -> write((char) value, target, at);
			case INT -> write((int) value, target, at);
			case LONG -> write((long) value, target, at);
			case FLOAT -> write((float) value, target, at);
			case DOUBLE -> write((double) value, target, at);
		}
		return end;
	}

	@Override
	public Object read(MessageBuffer source, int at, int length) {
		return switch (this.type) {
			case BOOLEAN -> booleanAt(source, at);
			case BYTE -> byteAt(source, at);
			case SHORT -> shortAt(source, at);
			case CHAR -> charAt(source, at);
			case INT -> intAt(source, at);
			case LONG -> longAt(source, at);
			case FLOAT -> floatAt(source, at);
			case DOUBLE -> doubleAt(source, at);
		};
	}

	void write(boolean value, MessageBuffer target, int at) {
		target.putByte(at + this.site.offset(), (byte) (value ? 1 : 0));
	}

	boolean booleanAt(MessageBuffer source, int at) {
		return this.site.flag(source.getByte(at + this.site.offset()));
	}

	void write(byte value, MessageBuffer target, int at) {
		target.putByte(at + this.site.offset(), value);
	}

	byte byteAt(MessageBuffer source, int at) {
		return source.getByte(at + this.site.offset());
	}

	void write(short value, MessageBuffer target, int at) {
		target.putShort(at + this.site.offset(), value);
	}

	short shortAt(MessageBuffer source, int at) {
		return source.getShort(at + this.site.offset());
	}

	void write(char value, MessageBuffer target, int at) {
		target.putShort(at + this.site.offset(), (short) value);
	}

	char charAt(MessageBuffer source, int at) {
		return (char) source.getShort(at + this.site.offset());
	}

	void write(int value, MessageBuffer target, int at) {
		target.putInt(at + this.site.offset(), value);
	}

	int intAt(MessageBuffer source, int at) {
		return source.getInt(at + this.site.offset());
	}

	void write(long value, MessageBuffer target, int at) {
		target.putLong(at + this.site.offset(), value);
	}

	long longAt(MessageBuffer source, int at) {
		return source.getLong(at + this.site.offset());
	}

	void write(float value, MessageBuffer target, int at) {
		target.putInt(at + this.site.offset(), Float.floatToRawIntBits(value));
	}

	float floatAt(MessageBuffer source, int at) {
		return Float.intBitsToFloat(source.getInt(at + this.site.offset()));
	}

	void write(double value, MessageBuffer target, int at) {
		target.putLong(at + this.site.offset(), Double.doubleToRawLongBits(value));
	}

	double doubleAt(MessageBuffer source, int at) {
		return Double.longBitsToDouble(source.getLong(at + this.site.offset()));
	}

}
