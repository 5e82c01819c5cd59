package io.ringkernel.cuda.codegen;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.message.Field;
import io.ringkernel.message.MessageLayout;

/**
 * One struct, or struct template, as C++.
 * <p>
 * An array of variable length states its elements' place from the message's start, and so
 * has its own offset in the message for a template argument. A record that has one and is
 * a component of another is therefore a template of its offset.
 *
 * @param base what an offset in this struct begins with: {@code "AT + "} in a template
 * @param head the lines before its members
 */
record CppStruct(CppTypes types, String name, List<Field> fields, String base, List<String> head) {

	private static final String PARAMETER = "message";

	static CppStruct message(CppTypes types, MessageLayout<?> layout) {
		return new CppStruct(types, types.name(layout.type()), layout.fields(), "",
				head(types, layout.type(),
						"  static constexpr uint64_t FINGERPRINT = 0x%016x;".formatted(layout.fingerprint()),
						"  static constexpr uint32_t MAX_BYTES = %d;".formatted(layout.maxSize()),
						"  static constexpr char LAYOUT[] = R\"(%s)\";".formatted(layout.describe()), ""));
	}

	private static List<String> head(CppTypes types, Class<?> type, String... constants) {
		List<String> head = new ArrayList<>();
		types.aliases(type).forEach((alias) -> head.add("  " + alias));
		if (!head.isEmpty()) {
			head.add("");
		}
		head.addAll(List.of(constants));
		return head;
	}

	static CppStruct nested(CppTypes types, Field record) {
		boolean placed = isPlaced(record.fields());
		return new CppStruct(types, types.name(record), record.fields(), placed ? "AT + " : "",
				placed ? List.of() : head(types, record.type()));
	}

	/** Whether a record has arrays of variable length, in itself or in a component. */
	static boolean isPlaced(List<Field> fields) {
		return fields.stream()
			.anyMatch((field) -> field.shape() == Field.Shape.VARIABLE
					|| (field.kind() == Field.Kind.RECORD && isPlaced(field.fields())));
	}

	private boolean isTemplate() {
		return !this.base.isEmpty();
	}

	String definition() {
		List<String> lines = new ArrayList<>();
		if (isTemplate()) {
			lines.add("template <uint32_t AT>");
		}
		lines.add("struct " + this.name + " {");
		lines.addAll(this.head);
		this.fields.forEach((field) -> lines.add("  " + member(field) + ";"));
		lines.add("");
		lines.add("  __device__ bool valid(%s) const {"
			.formatted(checks().isEmpty() ? "ringkernel::Received" : "ringkernel::Received message"));
		lines.add("    return " + (checks().isEmpty() ? "true" : String.join(" &\n           ", checks())) + ";");
		lines.add("  }");
		lines.add("};");
		return String.join("\n", lines) + "\n";
	}

	private String member(Field field) {
		String name = CppName.of(field.name());
		String fixed = (field.shape() == Field.Shape.FIXED) ? "[" + field.count() + "]" : "";
		return field.optional() ? "ringkernel::Optional<%s%s> %s".formatted(type(field), fixed, name)
				: "%s %s%s".formatted(type(field), name, fixed);
	}

	/** The type of the member's value, or of one element of a fixed array. */
	private String type(Field field) {
		String place = this.base + (field.offset() + (field.optional() ? field.alignment() : 0));
		if (field.shape() == Field.Shape.VARIABLE) {
			return (field.kind() == Field.Kind.STRING) ? "ringkernel::String<%d, %s>".formatted(field.count(), place)
					: "ringkernel::Array<%s, %d, %s>".formatted(element(field, place), field.count(), place);
		}
		return element(field, place);
	}

	private String element(Field field, String place) {
		return switch (field.kind()) {
			case BOOLEAN -> "ringkernel::Boolean";
			case BYTE -> "int8_t";
			case SHORT -> "int16_t";
			case CHAR -> "uint16_t";
			case INT -> "int32_t";
			case LONG -> "int64_t";
			case FLOAT -> "float";
			case DOUBLE -> "double";
			case STRING -> "char";
			case ENUM -> this.types.name(field);
			case RECORD -> this.types.name(field) + (isPlaced(field.fields()) ? "<" + place + ">" : "");
		};
	}

	private List<String> checks() {
		List<String> checks = new ArrayList<>();
		for (Field field : this.fields) {
			String name = checked(CppName.of(field.name()));
			String value = valueCheck(field, field.optional() ? name + ".value" : name);
			if (field.optional()) {
				checks.add("message.holds(" + name + ")");
				if (!value.isEmpty()) {
					checks.add("(!" + name + " || " + value + ")");
				}
			}
			else if (!value.isEmpty()) {
				checks.add(value);
			}
		}
		return checks;
	}

	/** The parameter of the check hides the member that is called as it is. */
	private static String checked(String name) {
		return name.equals(PARAMETER) ? "this->" + name : name;
	}

	/**
	 * What can be wrong with a value; nothing with a number, and the elements of arrays
	 * are not looked at.
	 */
	private static String valueCheck(Field field, String value) {
		if (field.shape() == Field.Shape.VARIABLE) {
			return "message.holds(" + value + ")";
		}
		if (field.shape() == Field.Shape.FIXED) {
			return "";
		}
		return switch (field.kind()) {
			case BOOLEAN -> "message.holds(" + value + ")";
			case ENUM ->
				"message.holds(static_cast<int32_t>(%s), %d)".formatted(value, field.type().getEnumConstants().length);
			case RECORD -> value + ".valid(message)";
			default -> "";
		};
	}

	String assertions(int size) {
		String type = this.name + (isTemplate() ? "<0>" : "");
		StringBuilder lines = new StringBuilder("static_assert(sizeof(%s) == %d);%n".formatted(type, size));
		for (Field field : this.fields) {
			lines.append("static_assert(offsetof(%s, %s) == %d);%n".formatted(type, CppName.of(field.name()),
					field.offset()));
		}
		return lines.toString().replace(System.lineSeparator(), "\n");
	}

}
