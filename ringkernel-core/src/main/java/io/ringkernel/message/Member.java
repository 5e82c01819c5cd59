package io.ringkernel.message;

import java.lang.invoke.MethodHandle;

/**
 * One component of a record in its struct.
 *
 * @param name the name of the component
 * @param type its type
 * @param offset the distance in bytes from the start of the struct
 * @param accessor reads the component: {@code (Object) → V}, with a reference as
 * {@link Object}
 */
record Member(String name, FieldType type, int offset, MethodHandle accessor) {

	int end() {
		return this.offset + this.type.size();
	}

}
