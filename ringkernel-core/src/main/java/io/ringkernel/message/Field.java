package io.ringkernel.message;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One component of a message record as a member of the C struct that it becomes. All
 * sizes and offsets are bytes.
 *
 * @param name the name of the component
 * @param kind what the component, or one element of it, is
 * @param shape how many of it there are
 * @param optional whether the member is {@code struct { uint32_t present; T value; }};
 * the value then lies {@link #alignment()} bytes after the member's start
 * @param type the Java type of the component, or of one element of it
 * @param offset the distance from the start of the enclosing struct
 * @param size the size of the member in the enclosing struct
 * @param alignment the alignment of the member
 * @param count the length of a {@linkplain Shape#FIXED fixed} array, the capacity of a
 * {@linkplain Shape#VARIABLE variable} one in elements or UTF-8 bytes, otherwise 1
 * @param fields the members of the {@linkplain Kind#RECORD record}, otherwise empty
 * @since 0.1.0
 */
public record Field(String name, Kind kind, Shape shape, boolean optional, Class<?> type, int offset, int size,
		int alignment, int count, List<Field> fields) {

	Field asOptional(int optionalSize, int optionalAlignment) {
		return new Field(this.name, this.kind, this.shape, true, this.type, this.offset, optionalSize,
				optionalAlignment, this.count, this.fields);
	}

	/** Whether what the member holds always lies at its offset. */
	boolean isInPlace() {
		return !this.optional && this.shape != Shape.VARIABLE;
	}

	/**
	 * The type in one word, the same for the same binary layout: {@code float},
	 * {@code float[16]}, {@code float[<=4096]}, {@code utf8[<=64]}, {@code int64?},
	 * {@code enum(LOW|HIGH)}.
	 */
	String notation() {
		String element = (this.kind != Kind.ENUM) ? this.kind.notation
				: Arrays.stream(this.type.getEnumConstants())
					.map((constant) -> ((Enum<?>) constant).name())
					.collect(Collectors.joining("|", "enum(", ")"));
		String extent = switch (this.shape) {
			case SINGLE -> "";
			case FIXED -> "[" + this.count + "]";
			case VARIABLE -> "[<=" + this.count + "]";
		};
		return element + extent + (this.optional ? "?" : "");
	}

	/** What one element is. */
	public enum Kind {

		/** One byte, 0 or 1. */
		BOOLEAN("bool"),
		/** A signed 8-bit integer. */
		BYTE("int8"),
		/** A signed 16-bit integer. */
		SHORT("int16"),
		/** An unsigned 16-bit integer: a UTF-16 code unit. */
		CHAR("uint16"),
		/** A signed 32-bit integer. */
		INT("int32"),
		/** A signed 64-bit integer. */
		LONG("int64"),
		/** An IEEE 754 single. */
		FLOAT("float"),
		/** An IEEE 754 double. */
		DOUBLE("double"),
		/** A signed 32-bit integer that holds the ordinal of the constant. */
		ENUM("enum"),
		/** A byte of UTF-8. */
		STRING("utf8"),
		/** A nested struct. */
		RECORD("struct");

		private final String notation;

		Kind(String notation) {
			this.notation = notation;
		}

	}

	/** How many elements a member has, and where they lie. */
	public enum Shape {

		/** One, in place. */
		SINGLE,
		/** Always the same number, in place. */
		FIXED,
		/**
		 * Up to a capacity, after the fixed block: the member is {@code struct { uint32_t
		 * offset; uint32_t length; }}, the offset in bytes from the message's start, the
		 * length in elements.
		 */
		VARIABLE

	}

}
