package io.ringkernel.compiler.ir;

/**
 * What an element of an array or a member of a message is in memory.
 *
 * @since 0.2.0
 */
public enum MemoryType {

	/** One byte, 0 or 1. */
	BOOLEAN(Type.INT, 1),
	/** A signed byte. */
	BYTE(Type.INT, 1),
	/** A signed 16-bit integer. */
	SHORT(Type.INT, 2),
	/** An unsigned 16-bit integer. */
	CHAR(Type.INT, 2),
	/** A signed 32-bit integer. */
	INT(Type.INT, 4),
	/** A signed 64-bit integer. */
	LONG(Type.LONG, 8),
	/** An IEEE 754 single. */
	FLOAT(Type.FLOAT, 4),
	/** An IEEE 754 double. */
	DOUBLE(Type.DOUBLE, 8);

	private final Type type;

	private final int bytes;

	MemoryType(Type type, int bytes) {
		this.type = type;
		this.bytes = bytes;
	}

	/**
	 * What a number is in memory that fills a register.
	 * @param type the type of the register
	 * @return the type in memory
	 */
	public static MemoryType of(Type type) {
		return switch (type) {
			case INT -> INT;
			case FLOAT -> FLOAT;
			case DOUBLE -> DOUBLE;
			case LONG, ADDRESS -> LONG;
			case PREDICATE -> throw new IllegalArgumentException("a predicate is not in memory");
		};
	}

	/**
	 * What a register holds once it is loaded.
	 * @return the type
	 */
	public Type type() {
		return this.type;
	}

	/**
	 * The size in memory.
	 * @return the size in bytes
	 */
	public int bytes() {
		return this.bytes;
	}

}
