package io.ringkernel.message;

import java.lang.invoke.MethodHandle;

/**
 * The type of a component: its place in a struct, and the handles that move a value
 * between Java and memory. A handle is made for one {@link Site}, whose offset and names
 * become constants of it. With {@code V} the {@link #javaType()}:
 * <ul>
 * <li>{@code measurer: (int end, V) → int} validates the value and returns the end of the
 * message after the value's variable parts were added at {@code end};
 * <li>{@code writer: (int end, V, MessageBuffer, int at) → int} validates and writes, and
 * returns the same;
 * <li>{@code reader: (MessageBuffer, int at, int length) → V} validates and reads.
 * </ul>
 * {@code at} is where the message, or the array element, starts in the buffer; ends count
 * from there. Values are never {@code null} unless {@link #nullable()}.
 */
sealed interface FieldType permits PrimitiveType, EnumType, FixedArrayType, VariableType, RecordType, OptionalType {

	Class<?> javaType();

	int size();

	int alignment();

	/**
	 * Returns the largest end of a message in which this is added at {@code end}.
	 */
	default long extend(long end) {
		return end;
	}

	/**
	 * Whether a value needs measuring: it can be invalid or add variable parts.
	 */
	default boolean measured() {
		return true;
	}

	default boolean nullable() {
		return false;
	}

	MethodHandle measurer(Site site);

	MethodHandle writer(Site site);

	MethodHandle reader(Site site);

	Field field(String name, int offset);

}
