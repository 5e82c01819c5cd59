package io.ringkernel.test.ptx.text;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A fundamental type of PTX.
 *
 * @since 0.2.0
 */
public enum ScalarType {

	/** One bit of each lane. */
	PRED(0, Kind.BITS),

	/** Untyped bits. */
	B8(1, Kind.BITS), B16(2, Kind.BITS), B32(4, Kind.BITS), B64(8, Kind.BITS), B128(16, Kind.BITS),

	/** Unsigned integers. */
	U8(1, Kind.UNSIGNED), U16(2, Kind.UNSIGNED), U32(4, Kind.UNSIGNED), U64(8, Kind.UNSIGNED),

	/** Signed integers. */
	S8(1, Kind.SIGNED), S16(2, Kind.SIGNED), S32(4, Kind.SIGNED), S64(8, Kind.SIGNED),

	/** Numbers of IEEE 754. */
	F32(4, Kind.FLOAT), F64(8, Kind.FLOAT);

	/** What the bits of a value mean. */
	public enum Kind {

		/** Nothing by themselves. */
		BITS,

		/** A number from 0. */
		UNSIGNED,

		/** A number in two's complement. */
		SIGNED,

		/** A number of IEEE 754. */
		FLOAT

	}

	private final int bytes;

	private final Kind kind;

	ScalarType(int bytes, Kind kind) {
		this.bytes = bytes;
		this.kind = kind;
	}

	/**
	 * Finds a type by its name.
	 * @param name the name without its dot, such as {@code u32}
	 * @return the type, or {@code null} if there is none of this name
	 */
	public static @Nullable ScalarType named(String name) {
		for (ScalarType type : values()) {
			if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
				return type;
			}
		}
		return null;
	}

	/** The size of a value in bytes; 0 of a predicate. */
	public int bytes() {
		return this.bytes;
	}

	/** The size of a value in bits; 0 of a predicate. */
	public int bits() {
		return this.bytes * Byte.SIZE;
	}

	/** What the bits of a value mean. */
	public Kind kind() {
		return this.kind;
	}

	/** Whether a value is a number in two's complement. */
	public boolean isSigned() {
		return this.kind == Kind.SIGNED;
	}

	/** Whether a value is a number of IEEE 754. */
	public boolean isFloat() {
		return this.kind == Kind.FLOAT;
	}

}
