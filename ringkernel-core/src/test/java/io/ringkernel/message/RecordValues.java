package io.ringkernel.message;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A record as nested lists of its values, so that records with arrays can be compared bit
 * by bit (a NaN equals itself, 0.0 and -0.0 differ).
 */
final class RecordValues {

	private RecordValues() {
	}

	static Object of(Object value) {
		if (value instanceof Record record) {
			List<Object> values = new ArrayList<>();
			for (RecordComponent component : record.getClass().getRecordComponents()) {
				values.add(of(get(record, component)));
			}
			return values;
		}
		if (value != null && value.getClass().isArray()) {
			List<Object> values = new ArrayList<>();
			for (int i = 0; i < Array.getLength(value); i++) {
				values.add(of(Array.get(value, i)));
			}
			return values;
		}
		return (value instanceof Optional<?> optional) ? optional.map(RecordValues::of) : value;
	}

	private static Object get(Record record, RecordComponent component) {
		try {
			component.getAccessor().setAccessible(true);
			return component.getAccessor().invoke(record);
		}
		catch (ReflectiveOperationException ex) {
			throw new AssertionError(ex);
		}
	}

}
