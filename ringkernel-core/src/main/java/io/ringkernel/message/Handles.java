package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * Finds and composes the handles that {@link FieldType} describes. Codecs are records
 * because the JIT compiler trusts the final fields of a record: bound to a handle, all
 * that a codec refers to is a constant to it.
 */
final class Handles {

	static final MethodType MEASURER = MethodType.methodType(int.class, int.class, Object.class);

	static final MethodType WRITER = writerType(Object.class);

	static final MethodType READER = readerType(Object.class);

	private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

	private Handles() {
	}

	static MethodType measurerType(Class<?> value) {
		return MEASURER.changeParameterType(1, value);
	}

	static MethodType writerType(Class<?> value) {
		return MethodType.methodType(int.class, int.class, value, MessageBuffer.class, int.class);
	}

	static MethodType readerType(Class<?> value) {
		return MethodType.methodType(value, MessageBuffer.class, int.class, int.class);
	}

	/**
	 * Binds a method of a codec.
	 */
	static MethodHandle bind(Object codec, String method, MethodType type) {
		try {
			return LOOKUP.bind(codec, method, type);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("codec " + codec.getClass() + " lacks " + method + type, ex);
		}
	}

	/**
	 * Runs handles of one type {@code (int end, A...) → int} one after another, each with
	 * the end that the one before it returned.
	 */
	static MethodHandle chain(List<MethodHandle> handles) {
		int size = handles.size();
		if (size == 1) {
			return handles.get(0);
		}
		// Halves keep the nesting shallow enough for the compiler to inline it all.
		MethodHandle first = chain(handles.subList(0, size / 2));
		MethodHandle second = chain(handles.subList(size / 2, size));
		return MethodHandles.foldArguments(MethodHandles.dropArguments(second, 1, int.class), first);
	}

}
