package io.ringkernel.compiler.ir;

/**
 * What an element of an array or a member of a message is in memory.
 *
 * @since 0.2.0
 */
public enum MemoryType {

	/** One byte, 0 or 1. */
	BOOLEAN(RegisterType.INT, 1),

	BYTE(RegisterType.INT, 1), SHORT(RegisterType.INT, 2), CHAR(RegisterType.INT, 2), INT(RegisterType.INT, 4),

	LONG(RegisterType.LONG, 8), FLOAT(RegisterType.FLOAT, 4), DOUBLE(RegisterType.DOUBLE, 8);

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
