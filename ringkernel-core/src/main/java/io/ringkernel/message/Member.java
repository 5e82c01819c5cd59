package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * One component of a record in its struct.
 *
 * @param name the name of the component
 * @param type its type
 * @param offset the distance in bytes from the start of the struct
 * @param accessor reads the component: {@code (record) → V}
 */
record Member(String name, FieldType type, int offset, MethodHandle accessor) {

	int end() {
		return this.offset + this.type.size();
	}

	/**
	 * Lets a measurer or a writer take the record in place of the component's value.
	 */
	MethodHandle fromRecord(MethodHandle handle, Site site) {
		return MethodHandles.filterArguments(handle, 1, requiredAccessor(site));
	}

	private MethodHandle requiredAccessor(Site site) {
		Class<?> value = this.accessor.type().returnType();
		if (value.isPrimitive() || this.type.nullable()) {
			return this.accessor;
		}
		MethodHandle required = Handles.bind(new Required(site), "check",
				MethodType.methodType(Object.class, Object.class));
		return MethodHandles.filterReturnValue(this.accessor, required.asType(MethodType.methodType(value, value)));
	}

	/**
	 * Lets no {@code null} through.
	 */
	record Required(Site site) {

		Object check(Object value) {
			if (value == null) {
				throw this.site.invalid("is null; set it, or mark the component @Nullable or make it Optional");
			}
			return value;
		}

	}

}
