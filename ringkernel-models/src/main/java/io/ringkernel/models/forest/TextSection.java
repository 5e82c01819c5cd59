package io.ringkernel.models.forest;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * A part of a text model: lines of a name, an equals sign and values between spaces.
 * Errors name the part and the line.
 *
 * @param path the tree that it is; empty for the header
 * @param values the lines, by their names
 */
record TextSection(String path, Map<String, String> values) {

	TextSection(String path) {
		this(path, new HashMap<>());
	}

	/** A line without an equals sign is a name with an empty value. */
	void add(String line) {
		int equals = line.indexOf('=');
		this.values.put((equals < 0) ? line : line.substring(0, equals),
				(equals < 0) ? "" : line.substring(equals + 1));
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	String text(String name) {
		String text = this.values.get(name);
		if (text == null) {
			throw new InvalidModelException(
					"%s is missing. The file is no model of LightGBM, or only a part of one.".formatted(pathOf(name)));
		}
		return text.strip();
	}

	int integer(String name) {
		return integer(name, text(name), Integer::parseInt);
	}

	int[] integers(String name, int size) {
		return integers(name, size, Integer::parseInt);
	}

	int[] unsigned(String name, int size) {
		return integers(name, size, Integer::parseUnsignedInt);
	}

	double[] doubles(String name, int size) {
		String[] texts = texts(name, size);
		double[] numbers = new double[size];
		for (int i = 0; i < size; i++) {
			numbers[i] = number(name + "[" + i + "]", texts[i]);
		}
		return numbers;
	}

	/** C writes {@code inf} where Java writes {@code Infinity}. */
	double number(String name, String text) {
		try {
			double number = Double.parseDouble(text.replace("inf", "Infinity"));
			if (Double.isNaN(number)) {
				throw refused(name, text, "It must be a number. The file is damaged.");
			}
			return number;
		}
		catch (NumberFormatException ex) {
			throw new InvalidModelException("%s is '%s', and not a number.".formatted(pathOf(name), text), ex);
		}
	}

	String[] texts(String name) {
		String text = text(name);
		return text.isEmpty() ? new String[0] : text.split(" ");
	}

	InvalidModelException refused(String name, Object value, String allowed) {
		return new InvalidModelException("%s is '%s'. %s".formatted(pathOf(name), value, allowed));
	}

	private int[] integers(String name, int size, ToIntFunction<String> parser) {
		String[] texts = texts(name, size);
		int[] numbers = new int[size];
		for (int i = 0; i < size; i++) {
			numbers[i] = integer(name + "[" + i + "]", texts[i], parser);
		}
		return numbers;
	}

	private String[] texts(String name, int size) {
		String[] texts = texts(name);
		if (texts.length != size) {
			throw new InvalidModelException(
					"%s has %d elements, and not %d. The file is damaged.".formatted(pathOf(name), texts.length, size));
		}
		return texts;
	}

	private int integer(String name, String text, ToIntFunction<String> parser) {
		try {
			return parser.applyAsInt(text);
		}
		catch (NumberFormatException ex) {
			throw new InvalidModelException("%s is '%s', and not an integer.".formatted(pathOf(name), text), ex);
		}
	}

	private String pathOf(String name) {
		return this.path.isEmpty() ? name : this.path + "." + name;
	}

}
