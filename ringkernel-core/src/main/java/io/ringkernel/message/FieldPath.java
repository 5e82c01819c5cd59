package io.ringkernel.message;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds a component of a record by its name, or by the names that lead to it.
 *
 * @param record the record
 * @param fields its fields
 */
record FieldPath(Class<?> record, List<Field> fields) {

	/**
	 * Where a component lies, as {@link MessageLayout#offset} says.
	 */
	int offset(String component, Class<?> type) {
		int offset = 0;
		List<Field> among = this.fields;
		Field field = null;
		for (String name : component.split("\\.", -1)) {
			field = among.stream()
				.filter((candidate) -> candidate.name().equals(name) && candidate.isInPlace())
				.findFirst()
				.orElseThrow(() -> noSuch(component, type));
			offset += field.offset();
			among = (field.shape() == Field.Shape.SINGLE) ? field.fields() : List.of();
		}
		if (field == null || field.type() != type || field.kind() == Field.Kind.RECORD) {
			throw noSuch(component, type);
		}
		return offset;
	}

	private IllegalArgumentException noSuch(String component, Class<?> type) {
		return new IllegalArgumentException("%s has no component '%s' of type %s in place; it has %s".formatted(
				this.record.getSimpleName(), component, type.getSimpleName(),
				this.fields.stream()
					.map((field) -> field.name() + " " + field.notation())
					.collect(Collectors.joining(", "))));
	}

}
