package io.ringkernel.compiler.bytecode;

import java.util.List;
import java.util.Map;

import io.ringkernel.compiler.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * Boxed numbers, and what javac calls to box a number and to unbox it.
 */
final class Boxes {

	/** Each class with the method that unboxes. */
	private static final Map<String, String> UNBOXING = Map.of("java/lang/Boolean", "booleanValue", "java/lang/Byte",
			"byteValue", "java/lang/Short", "shortValue", "java/lang/Character", "charValue", "java/lang/Integer",
			"intValue", "java/lang/Long", "longValue", "java/lang/Float", "floatValue", "java/lang/Double",
			"doubleValue");

	private Boxes() {
	}

	/** What is in an object of a class; {@code null} if that is no number. */
	static Shape.@Nullable Scalar number(String type) {
		return switch (UNBOXING.getOrDefault(type, "")) {
			case "" -> null;
			case "longValue" -> new Shape.Scalar(Type.LONG);
			case "floatValue" -> new Shape.Scalar(Type.FLOAT);
			case "doubleValue" -> new Shape.Scalar(Type.DOUBLE);
			default -> Shape.Scalar.INT;
		};
	}

	/** Boxes or unboxes a number; {@code null} if the method does something else. */
	static @Nullable Value call(String type, String name, List<Value> arguments) {
		Shape.Scalar number = number(type);
		if (number == null || arguments.size() != 1) {
			return null;
		}
		Value argument = arguments.get(0);
		if (name.equals("valueOf") && argument.shape().equals(number)) {
			return new Value(new Shape.BoxOf(type, number), argument.scalars());
		}
		return (name.equals(UNBOXING.get(type)) && argument.shape() instanceof Shape.BoxOf)
				? new Value(number, argument.scalars()) : null;
	}

}
