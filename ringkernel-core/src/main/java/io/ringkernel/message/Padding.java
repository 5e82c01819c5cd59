package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * Bytes of a struct that belong to no member. They are written as zeros: equal messages
 * have equal bytes, and nothing of a slot's earlier message remains.
 *
 * @param from the first byte, from the start of the message or the array element
 * @param to the byte after the last
 */
record Padding(int from, int to) {

	/**
	 * Returns a writer as {@link FieldType} describes it, for any value.
	 */
	MethodHandle writer(Class<?> value) {
		MethodHandle zero = Handles.bind(this, "zero", Handles.writerType(Object.class).dropParameterTypes(1, 2));
		return MethodHandles.dropArguments(zero, 1, value);
	}

	int zero(int end, MessageBuffer target, int at) {
		target.zero(at + this.from, at + this.to);
		return end;
	}

}
