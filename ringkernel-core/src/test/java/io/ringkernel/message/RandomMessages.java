package io.ringkernel.message;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.ringkernel.Capacity;
import io.ringkernel.Length;

/**
 * Random valid messages of any record class.
 */
final class RandomMessages {

	private static final String[] TEXTS = { "", "a", "ascii", "\0", "grün", "漢字", "😀", "\uFFFD" };

	private final Random random;

	RandomMessages(long seed) {
		this.random = new Random(seed);
	}

	<T extends Record> T next(Class<T> type) {
		RecordComponent[] components = type.getRecordComponents();
		Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		Object[] values = Stream.of(components).map(this::value).toArray();
		try {
			Constructor<T> constructor = type.getDeclaredConstructor(types);
			constructor.setAccessible(true);
			return constructor.newInstance(values);
		}
		catch (ReflectiveOperationException ex) {
			throw new AssertionError(ex);
		}
	}

	private @Nullable Object value(RecordComponent component) {
		if (component.getAnnotatedType().isAnnotationPresent(Nullable.class) && this.random.nextBoolean()) {
			return null;
		}
		if (component.getType() == Optional.class) {
			Class<?> argument = (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
			return this.random.nextBoolean() ? Optional.of(value(argument, component)) : Optional.empty();
		}
		return value(component.getType(), component);
	}

	private Object value(Class<?> type, RecordComponent component) {
		if (type == OptionalInt.class) {
			return this.random.nextBoolean() ? OptionalInt.of(this.random.nextInt()) : OptionalInt.empty();
		}
		if (type == OptionalLong.class) {
			return this.random.nextBoolean() ? OptionalLong.of(this.random.nextLong()) : OptionalLong.empty();
		}
		if (type == OptionalDouble.class) {
			return this.random.nextBoolean() ? OptionalDouble.of(this.random.nextGaussian()) : OptionalDouble.empty();
		}
		if (type.isArray()) {
			Length length = component.getAnnotation(Length.class);
			int count = (length != null) ? length.value()
					: this.random.nextInt(component.getAnnotation(Capacity.class).value() + 1);
			Object array = Array.newInstance(type.getComponentType(), count);
			for (int i = 0; i < count; i++) {
				Array.set(array, i, value(type.getComponentType(), component));
			}
			return array;
		}
		if (type.isRecord()) {
			return next(type.asSubclass(Record.class));
		}
		if (type.isEnum()) {
			return type.getEnumConstants()[this.random.nextInt(type.getEnumConstants().length)];
		}
		return (type == String.class) ? TEXTS[this.random.nextInt(TEXTS.length)] : primitive(type);
	}

	private Object primitive(Class<?> type) {
		long bits = this.random.nextLong();
		return switch (type.getSimpleName()) {
			case "byte", "Byte" -> (byte) bits;
			case "short" -> (short) bits;
			case "char", "Character" -> (char) bits;
			case "int", "Integer" -> (int) bits;
			case "long", "Long" -> bits;
			case "float" -> Float.intBitsToFloat((int) bits);
			case "double", "Double" -> Double.longBitsToDouble(bits);
			case "boolean", "Boolean" -> (bits & 1) != 0;
			default -> throw new IllegalArgumentException(type.toString());
		};
	}

}
