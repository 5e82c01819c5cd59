package io.ringkernel.compiler.ir;

/**
 * What an element of an array or a member of a message is in memory.
 *
 * @since 0.2.0
 */
public enum MemoryType {

	/** One byte, 0 or 1. */
	BOOLEAN(RegisterType.INT, 1),
	/** A signed byte. */
	BYTE(RegisterType.INT, 1),
	/** A signed 16-bit integer. */
	SHORT(RegisterType.INT, 2),
	/** An unsigned 16-bit integer. */
	CHAR(RegisterType.INT, 2),
	/** A signed 32-bit integer. */
	INT(RegisterType.INT, 4),
	/** A signed 64-bit integer. */
	LONG(RegisterType.LONG, 8),
	/** An IEEE 754 single. */
	FLOAT(RegisterType.FLOAT, 4),
	/** An IEEE 754 double. */
	DOUBLE(RegisterType.DOUBLE, 8);

	private final RegisterType type;

	private final int bytes;

	MemoryType(RegisterType type, int bytes) {
		this.type = type;
		this.bytes = bytes;
	}

	/** What a number is in memory that fills a register. */
	public static MemoryType of(RegisterType type) {
		return switch (type) {
			case INT -> INT;
			case FLOAT -> FLOAT;
			case DOUBLE -> DOUBLE;
			case LONG, ADDRESS -> LONG;
			case PREDICATE -> throw new IllegalArgumentException("a predicate is not in memory");
		};
	}

	/** What a register holds once it is loaded. */
	public RegisterType type() {
		return this.type;
	}

	/** The size in memory, in bytes. */
	public int bytes() {
		return this.bytes;
	}

}
