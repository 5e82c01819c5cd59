package io.ringkernel.models.forest;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * An object of a model file. Its values are objects, lists, texts, numbers as texts, or
 * arrays of numbers. Errors name the path of a value.
 *
 * @param path where it is in the file; empty for the root
 * @param values its values, by their names
 */
record ModelDocument(String path, Map<String, Object> values) {

	/** Large, and nothing that a prediction needs. */
	static final Set<String> UNUSED = Set.of("base_weights", "loss_changes", "sum_hessian", "parents", "attributes",
			"feature_names", "feature_types", "cats");

	/** A float holds 2 to the power of 24 for the integer that follows it, too. */
	private static final int MAX_INTEGER = (1 << 24) - 1;

	ModelDocument object(String name) {
		return object(pathOf(name), require(name));
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	String text(String name) {
		Object value = require(name);
		if (value instanceof Map || value instanceof List || value instanceof float[]) {
			throw unexpected(name, "a text or a number", value);
		}
		return String.valueOf(value);
	}

	int integer(String name) {
		String text = text(name);
		try {
			return Integer.parseInt(text);
		}
		catch (NumberFormatException ex) {
			throw new InvalidModelException("%s is '%s', and not an integer.".formatted(pathOf(name), text), ex);
		}
	}

	float[] floats(String name) {
		Object value = require(name);
		if (value instanceof float[] numbers) {
			return numbers;
		}
		if (value instanceof List<?> list && list.isEmpty()) {
			return new float[0];
		}
		throw unexpected(name, "an array of numbers", value);
	}

	float[] floats(String name, int size) {
		float[] numbers = floats(name);
		if (numbers.length != size) {
			throw new InvalidModelException("%s has %d elements, and not %d. The file is damaged."
				.formatted(pathOf(name), numbers.length, size));
		}
		return numbers;
	}

	int[] integers(String name) {
		return integers(name, floats(name), (i) -> true);
	}

	int[] integers(String name, int size) {
		return integers(name, size, (i) -> true);
	}

	/** Gives 0 for each place that is not used, which may have no integer. */
	int[] integers(String name, int size, IntPredicate used) {
		return integers(name, floats(name, size), used);
	}

	private int[] integers(String name, float[] numbers, IntPredicate used) {
		int[] integers = new int[numbers.length];
		for (int i = 0; i < numbers.length; i++) {
			if (!used.test(i)) {
				continue;
			}
			integers[i] = (int) numbers[i];
			if (integers[i] != numbers[i] || Math.abs(numbers[i]) > MAX_INTEGER) {
				throw new InvalidModelException("%s[%d] is %s, and not an integer of at most %d."
					.formatted(pathOf(name), i, numbers[i], MAX_INTEGER));
			}
		}
		return integers;
	}

	List<ModelDocument> objects(String name) {
		Object value = require(name);
		if (value instanceof float[] numbers && numbers.length == 0) {
			return List.of();
		}
		if (!(value instanceof List<?> list)) {
			throw unexpected(name, "a list of objects", value);
		}
		return IntStream.range(0, list.size())
			.mapToObj((i) -> object(pathOf(name) + "[" + i + "]", list.get(i)))
			.toList();
	}

	String pathOf(String name) {
		return this.path.isEmpty() ? name : this.path + "." + name;
	}

	private Object require(String name) {
		Object value = this.values.get(name);
		if (value == null) {
			throw new InvalidModelException(
					"%s is missing. The file is no model of XGBoost, or only a part of one.".formatted(pathOf(name)));
		}
		return value;
	}

	private InvalidModelException unexpected(String name, String expected, Object value) {
		return new InvalidModelException("%s is %s, and not %s.".formatted(pathOf(name), kind(value), expected));
	}

	@SuppressWarnings("unchecked")
	private static ModelDocument object(String path, @Nullable Object value) {
		if (!(value instanceof Map)) {
			throw new InvalidModelException("%s is %s, and not an object.".formatted(path, kind(value)));
		}
		return new ModelDocument(path, (Map<String, Object>) value);
	}

	private static String kind(@Nullable Object value) {
		if (value instanceof Map) {
			return "an object";
		}
		if (value instanceof List || value instanceof float[]) {
			return "a list";
		}
		return "'" + value + "'";
	}

}
