package io.ringkernel.routing;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import io.ringkernel.RingKernelKey;
import io.ringkernel.exception.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The value of an annotated component as a key. It is the same in every process.
 */
final class RecordKey<I extends Record> implements KeyExtractor<I> {

	private static final Set<Class<?>> INTEGERS = Set.of(byte.class, short.class, char.class, int.class, long.class);

	/** Reads the key: {@code (Record) → long}. */
	private final MethodHandle reader;

	private RecordKey(MethodHandle reader) {
		this.reader = reader;
	}

	static <I extends Record> RecordKey<I> of(Class<I> type) {
		List<RecordComponent> keys = Arrays.stream(type.getRecordComponents())
			.filter((component) -> component.isAnnotationPresent(RingKernelKey.class))
			.toList();
		if (keys.size() != 1) {
			throw refused(
					"needs one component with @RingKernelKey, and %s has %d".formatted(type.getName(), keys.size()));
		}
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			MethodHandle accessor = MethodHandles.privateLookupIn(type, lookup).unreflect(keys.get(0).getAccessor());
			return new RecordKey<>(asLong(type, keys.get(0), accessor, lookup)
				.asType(MethodType.methodType(long.class, Record.class)));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("a private lookup reads every accessor", ex);
		}
	}

	private static MethodHandle asLong(Class<?> type, RecordComponent key, MethodHandle accessor,
			MethodHandles.Lookup lookup) throws ReflectiveOperationException {
		Class<?> value = key.getType();
		if (INTEGERS.contains(value)) {
			return accessor;
		}
		if (value != String.class && !value.isEnum()) {
			throw refused("cannot use the component '%s' of %s, whose type is %s".formatted(key.getName(),
					type.getName(), value.getSimpleName()));
		}
		Class<?> hashed = value.isEnum() ? Enum.class : String.class;
		MethodHandle hash = lookup.findStatic(RecordKey.class, "hash", MethodType.methodType(long.class, hashed));
		return MethodHandles.filterReturnValue(accessor, hash.asType(MethodType.methodType(long.class, value)));
	}

	private static InvalidConfigurationException refused(String reason) {
		return new InvalidConfigurationException("routing", "key", reason,
				"Annotate one component that is an integer, a String or an enum, or name a KeyExtractor.");
	}

	/** A record without the value is refused when it is encoded. */
	@SuppressWarnings("unused")
	private static long hash(@Nullable String value) {
		return (value != null) ? value.hashCode() : 0;
	}

	/** The hash code of an enum constant differs from process to process. */
	@SuppressWarnings("unused")
	private static long hash(@Nullable Enum<?> value) {
		return (value != null) ? hash(value.name()) : 0;
	}

	@Override
	public long keyOf(I request) {
		try {
			return (long) this.reader.invokeExact((Record) request);
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException("an accessor declares no checked exception", ex);
		}
	}

}
