package io.ringkernel.test;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A message as a line of text: as a record shows itself, with the first elements of its
 * arrays.
 */
final class MessageText {

	private static final int MAX_ELEMENTS = 8;

	private MessageText() {
	}

	static String of(Record message) {
		List<String> components = new ArrayList<>();
		for (RecordComponent component : message.getClass().getRecordComponents()) {
			components.add(component.getName() + "=" + text(RecordComparison.value(component, message)));
		}
		return message.getClass().getSimpleName() + "[" + String.join(", ", components) + "]";
	}

	private static String text(@Nullable Object value) {
		if (value instanceof Record nested) {
			return of(nested);
		}
		if (value == null || !value.getClass().isArray()) {
			return String.valueOf(value);
		}
		int length = Array.getLength(value);
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < Math.min(length, MAX_ELEMENTS); i++) {
			elements.add(text(Array.get(value, i)));
		}
		if (length > MAX_ELEMENTS) {
			elements.add("… %d in all".formatted(length));
		}
		return elements.toString();
	}

}
