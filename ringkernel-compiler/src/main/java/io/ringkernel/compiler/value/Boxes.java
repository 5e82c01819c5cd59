package io.ringkernel.compiler.value;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.RegisterType;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Boxed numbers, what javac calls to box a number and to unbox it, and what a method
 * reference does without a call.
 *
 * @since 0.2.0
 */
public final class Boxes {

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
			case "longValue" -> new Shape.Scalar(RegisterType.LONG);
			case "floatValue" -> new Shape.Scalar(RegisterType.FLOAT);
			case "doubleValue" -> new Shape.Scalar(RegisterType.DOUBLE);
			default -> Shape.Scalar.INT;
		};
	}

	/** Boxes or unboxes a number; {@code null} if the method does something else. */
	public static @Nullable Value call(String type, String name, List<Value> arguments) {
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

	/**
	 * Boxes, unboxes or widens a number that a method reference hands on, from the type
	 * that it has to the one that is declared. Anything else stays as it is.
	 */
	public static Value converted(Value value, Type from, Type to, Code code) {
		String box = box(to);
		if (box == null) {
			String made = box(from);
			return (made != null)
					? new Value(new Shape.BoxOf(made, new Shape.Scalar(value.scalar().type())), value.scalars())
					: value;
		}
		RegisterType type = Objects.requireNonNull(number(box)).type();
		return Value.of((value.scalar().type() == type) ? value.scalar()
				: code.convert(Conversion.NUMERIC, type, value.scalar()));
	}

	/** The class that boxes numbers of a primitive type; {@code null} for other types. */
	private static @Nullable String box(Type type) {
		return UNBOXING.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().equals(type.getClassName() + "Value"))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

}
