package io.ringkernel.message;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A way in which Java says that there may be no value.
 */
@SuppressWarnings("ImmutableEnumChecker") // What stands for nothing is immutable.
enum Wrapper {

	/** {@code null}, where a component is marked {@code @Nullable}. */
	NULLABLE(Object.class, null),

	OPTIONAL(Optional.class, Optional.empty()),

	INT(OptionalInt.class, OptionalInt.empty()),

	LONG(OptionalLong.class, OptionalLong.empty()),

	DOUBLE(OptionalDouble.class, OptionalDouble.empty());

	private final Class<?> type;

	private final @Nullable Object empty;

	Wrapper(Class<?> type, @Nullable Object empty) {
		this.type = type;
		this.empty = empty;
	}

	static @Nullable Wrapper of(Class<?> type) {
		for (Wrapper wrapper : values()) {
			if (wrapper != NULLABLE && wrapper.type == type) {
				return wrapper;
			}
		}
		return null;
	}

	boolean isPresent(@Nullable Object wrapped) {
		return !Objects.equals(this.empty, wrapped);
	}

	Object get(Object wrapped) {
		return (this == OPTIONAL) ? ((Optional<?>) wrapped).orElseThrow() : wrapped;
	}

	/** Writes the value that is present. A number is not boxed. */
	int write(int end, Object wrapped, Codec value, MessageBuffer target, int at) throws Throwable {
		switch (this) {
			case INT -> ((PrimitiveCodec) value).write(((OptionalInt) wrapped).getAsInt(), target, at);
			case LONG -> ((PrimitiveCodec) value).write(((OptionalLong) wrapped).getAsLong(), target, at);
			case DOUBLE -> ((PrimitiveCodec) value).write(((OptionalDouble) wrapped).getAsDouble(), target, at);
			default -> {
				return value.write(end, get(wrapped), target, at);
			}
		}
		return end;
	}

	@Nullable Object read(Codec value, MessageBuffer source, int at, int length) throws Throwable {
		return switch (this) {
			case NULLABLE -> value.read(source, at, length);
			case OPTIONAL -> Optional.ofNullable(value.read(source, at, length));
			case INT -> OptionalInt.of(((PrimitiveCodec) value).intAt(source, at));
			case LONG -> OptionalLong.of(((PrimitiveCodec) value).longAt(source, at));
			case DOUBLE -> OptionalDouble.of(((PrimitiveCodec) value).doubleAt(source, at));
		};
	}

	@Nullable Object empty() {
		return this.empty;
	}

}
