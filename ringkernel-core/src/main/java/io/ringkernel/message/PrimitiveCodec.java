package io.ringkernel.message;

/**
 * Moves one primitive. The methods are looked up by {@link PrimitiveType} and have the
 * signatures that {@link FieldType} describes; the unused parameters are part of them.
 */
@SuppressWarnings("unused")
record PrimitiveCodec(Site site) {

	int write(int end, boolean value, MessageBuffer target, int at) {
		target.bytes().put(at + this.site.offset(), (byte) (value ? 1 : 0));
		return end;
	}

	boolean readBoolean(MessageBuffer source, int at, int length) {
		return BooleanElements.decode(source.bytes().get(at + this.site.offset()), this.site);
	}

	int write(int end, byte value, MessageBuffer target, int at) {
		target.bytes().put(at + this.site.offset(), value);
		return end;
	}

	byte readByte(MessageBuffer source, int at, int length) {
		return source.bytes().get(at + this.site.offset());
	}

	int write(int end, short value, MessageBuffer target, int at) {
		target.putShort(at + this.site.offset(), value);
		return end;
	}

	short readShort(MessageBuffer source, int at, int length) {
		return source.getShort(at + this.site.offset());
	}

	int write(int end, char value, MessageBuffer target, int at) {
		target.putShort(at + this.site.offset(), (short) value);
		return end;
	}

	char readChar(MessageBuffer source, int at, int length) {
		return (char) source.getShort(at + this.site.offset());
	}

	int write(int end, int value, MessageBuffer target, int at) {
		target.putInt(at + this.site.offset(), value);
		return end;
	}

	int readInt(MessageBuffer source, int at, int length) {
		return source.getInt(at + this.site.offset());
	}

	int write(int end, long value, MessageBuffer target, int at) {
		target.putLong(at + this.site.offset(), value);
		return end;
	}

	long readLong(MessageBuffer source, int at, int length) {
		return source.getLong(at + this.site.offset());
	}

	int write(int end, float value, MessageBuffer target, int at) {
		target.putInt(at + this.site.offset(), Float.floatToRawIntBits(value));
		return end;
	}

	float readFloat(MessageBuffer source, int at, int length) {
		return Float.intBitsToFloat(source.getInt(at + this.site.offset()));
	}

	int write(int end, double value, MessageBuffer target, int at) {
		target.putLong(at + this.site.offset(), Double.doubleToRawLongBits(value));
		return end;
	}

	double readDouble(MessageBuffer source, int at, int length) {
		return Double.longBitsToDouble(source.getLong(at + this.site.offset()));
	}

}
