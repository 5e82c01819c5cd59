package io.ringkernel.compiler.value;

import java.util.List;
import java.util.Map;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;

/**
 * The shapes of values by their declared types.
 *
 * @since 0.2.0
 */
public final class Shapes {

	private static final String ENUM = "java/lang/Enum";

	private static final String STRING = "java/lang/String";

	private static final String OPTIONAL = "java/util/Optional";

	/** Optional numbers, each with the number. */
	private static final Map<String, RegisterType> OPTIONAL_NUMBERS = Map.of("java/util/OptionalInt", RegisterType.INT,
			"java/util/OptionalLong", RegisterType.LONG, "java/util/OptionalDouble", RegisterType.DOUBLE);

	private final Classes classes;

	public Shapes(Classes classes) {
		this.classes = classes;
	}

	public Shape of(Type type) {
		return switch (type.getSort()) {
			case Type.LONG -> new Shape.Scalar(RegisterType.LONG);
			case Type.FLOAT -> new Shape.Scalar(RegisterType.FLOAT);
			case Type.DOUBLE -> new Shape.Scalar(RegisterType.DOUBLE);
			case Type.ARRAY -> array(type);
			case Type.OBJECT -> object(type);
			default -> Shape.Scalar.INT;
		};
	}

	private Shape array(Type type) {
		MemoryType element = element(type.getElementType());
		if (element != null && type.getDimensions() <= 2) {
			return (type.getDimensions() == 1) ? new Shape.ArrayOf(element) : new Shape.RowsOf(element);
		}
		return (type.getDimensions() == 1 && of(type.getElementType()) instanceof Shape.RecordOf record)
				? records(type, record) : new Shape.Opaque(type.getClassName());
	}

	/** A record that no message may contain is in no array of a message. */
	private Shape records(Type type, Shape.RecordOf element) {
		try {
			Class<?> record = this.classes.load(element.type());
			MessageLayout<?> layout = MessageLayout.of(record.asSubclass(Record.class));
			return new Shape.RecordsOf(element, layout.fields(), layout.fixedSize(), layout.alignment());
		}
		catch (ClassNotFoundException | UnsupportedMessageTypeException ex) {
			return new Shape.Opaque("%s (%s)".formatted(type.getClassName(), ex.getMessage()));
		}
	}

	private static @Nullable MemoryType element(Type type) {
		return switch (type.getSort()) {
			case Type.BOOLEAN -> MemoryType.BOOLEAN;
			case Type.BYTE -> MemoryType.BYTE;
			case Type.SHORT -> MemoryType.SHORT;
			case Type.CHAR -> MemoryType.CHAR;
			case Type.INT -> MemoryType.INT;
			case Type.LONG -> MemoryType.LONG;
			case Type.FLOAT -> MemoryType.FLOAT;
			case Type.DOUBLE -> MemoryType.DOUBLE;
			default -> null;
		};
	}

	private Shape object(Type type) {
		Shape.Scalar number = Boxes.number(type.getInternalName());
		if (number != null) {
			return new Shape.BoxOf(type.getInternalName(), number);
		}
		Shape.Scalar optional = optionalNumber(type.getInternalName());
		if (optional != null) {
			return new Shape.OptionalOf(type.getInternalName(), optional);
		}
		if (isText(type.getInternalName())) {
			return new Shape.Utf8();
		}
		ClassNode node = this.classes.find(type.getInternalName());
		if (node != null && node.recordComponents != null) {
			return record(node);
		}
		return (node != null && ENUM.equals(node.superName)) ? new Shape.EnumOf(node.name)
				: new Shape.Opaque(type.getClassName());
	}

	private Shape.RecordOf record(ClassNode node) {
		List<Shape.Component> components = node.recordComponents.stream()
			.map((component) -> new Shape.Component(component.name,
					of(Type.getType(component.descriptor), component.signature)))
			.toList();
		return new Shape.RecordOf(node.name, components);
	}

	/** Of an {@code Optional}, the signature has the type of the value. */
	public Shape of(Type type, @Nullable String signature) {
		String begin = "L" + OPTIONAL + "<";
		if (signature == null || !signature.startsWith(begin)) {
			return of(type);
		}
		String value = signature.substring(begin.length(), signature.length() - ">;".length());
		return value.matches("\\[*(L[^<>*]+;|.)") && !value.equals("*")
				? new Shape.OptionalOf(OPTIONAL, of(Type.getType(value))) : of(type);
	}

	public static boolean isText(String type) {
		return type.equals(STRING);
	}

	public static boolean isOptional(String type) {
		return type.equals(OPTIONAL) || OPTIONAL_NUMBERS.containsKey(type);
	}

	/** What is in an optional number of a class; {@code null} if it is another class. */
	public static Shape.@Nullable Scalar optionalNumber(String type) {
		RegisterType number = OPTIONAL_NUMBERS.get(type);
		return (number != null) ? new Shape.Scalar(number) : null;
	}

}
