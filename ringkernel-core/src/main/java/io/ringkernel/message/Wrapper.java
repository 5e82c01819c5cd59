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
	NULLABLE(Object.class, null) {
		@Override
		boolean isPresent(@Nullable Object wrapped) {
			return wrapped != null;
		}
	},

	OPTIONAL(Optional.class, Optional.empty()) {
		@Override
		boolean isPresent(@Nullable Object wrapped) {
			return ((Optional<?>) Objects.requireNonNull(wrapped)).isPresent();
		}

		@Override
		Object get(Object wrapped) {
			return ((Optional<?>) wrapped).orElseThrow();
		}

		@Override
		@Nullable Object read(Codec value, MessageBuffer source, int at, int length) throws Throwable {
			return Optional.ofNullable(value.read(source, at, length));
		}
	},

	INT(OptionalInt.class, OptionalInt.empty()) {
		@Override
		boolean isPresent(@Nullable Object wrapped) {
			return ((OptionalInt) Objects.requireNonNull(wrapped)).isPresent();
		}

		@Override
		int write(int end, Object wrapped, Codec value, MessageBuffer target, int at) {
			((PrimitiveCodec) value).write(((OptionalInt) wrapped).getAsInt(), target, at);
			return end;
		}

		@Override
		Object read(Codec value, MessageBuffer source, int at, int length) {
			return OptionalInt.of(((PrimitiveCodec) value).intAt(source, at));
		}
	},

	LONG(OptionalLong.class, OptionalLong.empty()) {
		@Override
		boolean isPresent(@Nullable Object wrapped) {
			return ((OptionalLong) Objects.requireNonNull(wrapped)).isPresent();
		}

		@Override
		int write(int end, Object wrapped, Codec value, MessageBuffer target, int at) {
			((PrimitiveCodec) value).write(((OptionalLong) wrapped).getAsLong(), target, at);
			return end;
		}

		@Override
		Object read(Codec value, MessageBuffer source, int at, int length) {
			return OptionalLong.of(((PrimitiveCodec) value).longAt(source, at));
		}
	},

	DOUBLE(OptionalDouble.class, OptionalDouble.empty()) {
		@Override
		boolean isPresent(@Nullable Object wrapped) {
			return ((OptionalDouble) Objects.requireNonNull(wrapped)).isPresent();
		}

		@Override
		int write(int end, Object wrapped, Codec value, MessageBuffer target, int at) {
			((PrimitiveCodec) value).write(((OptionalDouble) wrapped).getAsDouble(), target, at);
			return end;
		}

		@Override
		Object read(Codec value, MessageBuffer source, int at, int length) {
			return OptionalDouble.of(((PrimitiveCodec) value).doubleAt(source, at));
		}
	};

	private final Class<?> type;

	private final @Nullable Object empty;

	Wrapper(Class<?> type, @Nullable Object empty) {
		this.type = type;
		this.empty = empty;
	}

	/**
	 * Returns the wrapper that a type is, or {@code null} if it is none.
	 */
	static @Nullable Wrapper of(Class<?> type) {
		for (Wrapper wrapper : values()) {
			if (wrapper != NULLABLE && wrapper.type == type) {
				return wrapper;
			}
		}
		return null;
	}

	/**
	 * Whether there is a value; only {@link #NULLABLE} is asked about {@code null}.
	 */
	abstract boolean isPresent(@Nullable Object wrapped);

	/**
	 * Returns the value that is present.
	 */
	Object get(Object wrapped) {
		return wrapped;
	}

	/**
	 * Writes the value that is present. A number is not boxed.
	 */
	int write(int end, Object wrapped, Codec value, MessageBuffer target, int at) throws Throwable {
		return value.write(end, get(wrapped), target, at);
	}

	/**
	 * Reads and wraps a value that is present.
	 */
	@Nullable Object read(Codec value, MessageBuffer source, int at, int length) throws Throwable {
		return value.read(source, at, length);
	}

	@Nullable Object empty() {
		return this.empty;
	}

}
