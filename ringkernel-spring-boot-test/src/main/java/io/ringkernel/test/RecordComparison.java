package io.ringkernel.test;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/** Compares two records down to the elements of arrays; keeps the first differences. */
final class RecordComparison {

	private final Tolerance tolerance;

	private final int limit;

	private final List<String> differences = new ArrayList<>();

	private long count;

	/**
	 * Creates the comparison.
	 * @param tolerance for floating-point numbers
	 * @param limit how many differences are described; all are counted
	 */
	RecordComparison(Tolerance tolerance, int limit) {
		this.tolerance = tolerance;
		this.limit = limit;
	}

	/** The first differences, a line each. */
	List<String> differences() {
		return this.differences;
	}

	/** How many differences there are. */
	long count() {
		return this.count;
	}

	void compare(Record expected, Record actual) {
		compareRecords("", expected, actual);
	}

	private void compareRecords(String path, Record expected, Record actual) {
		for (RecordComponent component : expected.getClass().getRecordComponents()) {
			String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
			compareValues(name, value(component, expected), value(component, actual));
		}
	}

	/** The value of a component; what an optional holds, or {@code null}. */
	static @Nullable Object value(RecordComponent component, Record message) {
		Method accessor = component.getAccessor();
		try {
			accessor.setAccessible(true);
			return unwrapped(accessor.invoke(message));
		}
		catch (IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException("The component '%s' of %s cannot be read".formatted(component.getName(),
					message.getClass().getName()), ex);
		}
	}

	private static @Nullable Object unwrapped(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return optional.orElse(null);
		}
		if (value instanceof OptionalInt optional) {
			return optional.isPresent() ? optional.getAsInt() : null;
		}
		if (value instanceof OptionalLong optional) {
			return optional.isPresent() ? optional.getAsLong() : null;
		}
		if (value instanceof OptionalDouble optional) {
			return optional.isPresent() ? optional.getAsDouble() : null;
		}
		return value;
	}

	private void compareValues(String path, @Nullable Object expected, @Nullable Object actual) {
		if (matches(expected, actual)) {
			return;
		}
		if (expected == null || actual == null || expected.getClass() != actual.getClass()) {
			differ(path, expected, actual, "");
		}
		else if (expected instanceof Record record) {
			compareRecords(path, record, (Record) actual);
		}
		else if (expected.getClass().isArray()) {
			compareArrays(path, expected, actual);
		}
		else if (expected instanceof Float || expected instanceof Double) {
			differ(path, expected, actual, apart(((Number) expected).doubleValue(), ((Number) actual).doubleValue()));
		}
		else {
			differ(path, expected, actual, "");
		}
	}

	/**
	 * Whether there is nothing to tell of two values; of records and arrays, their parts
	 * say it.
	 */
	private boolean matches(@Nullable Object expected, @Nullable Object actual) {
		if (expected instanceof Float one && actual instanceof Float other) {
			return this.tolerance.accepts(one, other);
		}
		if (expected instanceof Double one && actual instanceof Double other) {
			return this.tolerance.accepts(one, other);
		}
		return Objects.equals(expected, actual);
	}

	private String apart(double expected, double actual) {
		return ", apart by %s where %s is allowed".formatted(Math.abs(expected - actual),
				this.tolerance.bound(expected, actual));
	}

	private void compareArrays(String path, Object expected, Object actual) {
		int expectedLength = Array.getLength(expected);
		int actualLength = Array.getLength(actual);
		if (expectedLength != actualLength) {
			differ(path + ".length", expectedLength, actualLength, "");
		}
		for (int i = 0; i < Math.min(expectedLength, actualLength); i++) {
			Object one = Array.get(expected, i);
			Object other = Array.get(actual, i);
			// Before its name is made: there may be millions.
			if (!matches(one, other)) {
				compareValues("%s[%d]".formatted(path, i), one, other);
			}
		}
	}

	private void differ(String path, @Nullable Object expected, @Nullable Object actual, String detail) {
		this.count++;
		if (this.differences.size() < this.limit) {
			this.differences.add("%s: handler %s, kernel %s%s".formatted(path, text(expected), text(actual), detail));
		}
	}

	private static String text(@Nullable Object value) {
		if (value instanceof String) {
			return "\"" + value + "\"";
		}
		return (value == null) ? "nothing" : String.valueOf(value);
	}

}
