package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/**
 * A way in which Java says that there may be no value.
 *
 * @param type the type that may hold no value
 * @param value the type of the value
 * @param nullable whether no value is {@code null}
 * @param isPresent {@code (type) → boolean}
 * @param get {@code (type) → value}, of a present one
 * @param of {@code (value) → type}
 * @param empty {@code () → type}
 */
record Wrapper(Class<?> type, Class<?> value, boolean nullable, MethodHandle isPresent, MethodHandle get,
		MethodHandle of, MethodHandle empty) {

	private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

	/**
	 * Returns the wrapper {@code null}: of {@code int} as {@link Integer}, or of a
	 * reference as itself.
	 */
	static Wrapper nullable(Class<?> type, Class<?> value) {
		try {
			MethodHandle nonNull = LOOKUP.findStatic(Objects.class, "nonNull",
					MethodType.methodType(boolean.class, Object.class));
			MethodHandle identity = MethodHandles.identity(type);
			return new Wrapper(type, value, true, nonNull.asType(MethodType.methodType(boolean.class, type)),
					identity.asType(MethodType.methodType(value, type)),
					identity.asType(MethodType.methodType(type, value)),
					MethodHandles.empty(MethodType.methodType(type)));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns the wrapper {@link Optional}.
	 */
	static Wrapper optional(Class<?> value) {
		return of(Optional.class, "get", Object.class, value);
	}

	/**
	 * Returns the wrapper {@link OptionalInt}, {@link OptionalLong} or
	 * {@link OptionalDouble}, or {@code null} if the type is none of them.
	 */
	static @Nullable Wrapper optionalPrimitive(Class<?> type) {
		if (type == OptionalInt.class) {
			return of(type, "getAsInt", int.class, int.class);
		}
		if (type == OptionalLong.class) {
			return of(type, "getAsLong", long.class, long.class);
		}
		if (type == OptionalDouble.class) {
			return of(type, "getAsDouble", double.class, double.class);
		}
		return null;
	}

	private static Wrapper of(Class<?> type, String get, Class<?> declared, Class<?> value) {
		try {
			return new Wrapper(type, value, false,
					LOOKUP.findVirtual(type, "isPresent", MethodType.methodType(boolean.class)),
					LOOKUP.findVirtual(type, get, MethodType.methodType(declared))
						.asType(MethodType.methodType(value, type)),
					LOOKUP.findStatic(type, "of", MethodType.methodType(type, declared))
						.asType(MethodType.methodType(type, value)),
					LOOKUP.findStatic(type, "empty", MethodType.methodType(type)));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
