package io.ringkernel.state;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Numbers, enums and records of them, as bytes: each number and the ordinal of each enum
 * in 8 bytes, of which those of a small type are the first.
 */
final class Scalars {

	private Scalars() {
	}

	static boolean consistsOf(Class<?> type) {
		return type.isPrimitive() || type.isEnum() || (type.isRecord()
				&& Arrays.stream(type.getRecordComponents()).allMatch((c) -> consistsOf(c.getType())));
	}

	static int bytes(Class<?> type) {
		return type.isRecord() ? Arrays.stream(type.getRecordComponents()).mapToInt((c) -> bytes(c.getType())).sum()
				: Long.BYTES;
	}

	/** The type with all that the meaning of its bytes depends on. */
	static String describe(Class<?> type) {
		if (type.isEnum()) {
			return Arrays.toString(type.getEnumConstants());
		}
		return type.isRecord() ? Arrays.stream(type.getRecordComponents())
			.map((component) -> describe(component.getType()) + " " + component.getName())
			.collect(Collectors.joining(", ", "(", ")")) : type.getName();
	}

	@SuppressWarnings("EnumOrdinal")
	static void put(Class<?> type, Object value, ByteBuffer target) throws ReflectiveOperationException {
		if (type.isRecord()) {
			for (RecordComponent component : type.getRecordComponents()) {
				component.getAccessor().setAccessible(true);
				put(component.getType(), component.getAccessor().invoke(value), target);
			}
		}
		else if (value instanceof Enum<?> constant) {
			target.putLong(constant.ordinal());
		}
		else {
			target.putLong(bits(value));
		}
	}

	private static long bits(Object number) {
		if (number instanceof Double value) {
			return Double.doubleToRawLongBits(value);
		}
		if (number instanceof Float value) {
			return Float.floatToRawIntBits(value);
		}
		if (number instanceof Boolean value) {
			return value ? 1 : 0;
		}
		return (number instanceof Character value) ? value : ((Number) number).longValue();
	}

	static Object get(Class<?> type, ByteBuffer source) throws ReflectiveOperationException {
		if (type.isRecord()) {
			RecordComponent[] components = type.getRecordComponents();
			Object[] values = new Object[components.length];
			for (int i = 0; i < values.length; i++) {
				values[i] = get(components[i].getType(), source);
			}
			Constructor<?> constructor = type
				.getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
			constructor.setAccessible(true);
			return constructor.newInstance(values);
		}
		long bits = source.getLong();
		return type.isEnum() ? type.getEnumConstants()[(int) bits] : number(type, bits);
	}

	private static Object number(Class<?> type, long bits) {
		return switch (type.getName()) {
			case "double" -> Double.longBitsToDouble(bits);
			case "float" -> Float.intBitsToFloat((int) bits);
			case "boolean" -> (int) bits != 0;
			case "char" -> (char) bits;
			case "byte" -> (byte) bits;
			case "short" -> (short) bits;
			case "int" -> (int) bits;
			default -> bits;
		};
	}

}
