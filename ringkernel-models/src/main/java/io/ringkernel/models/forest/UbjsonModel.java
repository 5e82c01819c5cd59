package io.ringkernel.models.forest;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the UBJSON of a model, as XGBoost writes it: numbers are big-endian, arrays of
 * numbers have one type and a length. A length is compared with what is left of the file
 * before anything is allocated for it. Errors name the offset of a byte.
 */
final class UbjsonModel {

	private static final int MAX_DEPTH = 32;

	private static final String INTEGERS = "iUIlL";

	/** Versions before 2.0 write whether a default is left as a boolean. */
	private static final String NUMBERS = INTEGERS + "dDTF";

	private final ByteBuffer bytes;

	private UbjsonModel(byte[] file) {
		this.bytes = ByteBuffer.wrap(file);
	}

	/**
	 * Both formats begin with a brace. In UBJSON, the type of a length follows; in JSON
	 * white space, a quotation mark or the other brace.
	 */
	static boolean begins(byte[] file) {
		return file.length > 1 && file[0] == '{' && (INTEGERS + "$#").indexOf(file[1]) >= 0;
	}

	static ModelDocument read(byte[] file) {
		UbjsonModel model = new UbjsonModel(file);
		model.marker();
		return new ModelDocument("", model.object(1));
	}

	private Map<String, Object> object(int depth) {
		Map<String, Object> values = new HashMap<>();
		for (char marker = marker(); marker != '}'; marker = marker()) {
			String name = text(marker);
			Object value = value(marker(), depth);
			if (!ModelDocument.UNUSED.contains(name)) {
				values.put(name, value);
			}
		}
		return values;
	}

	private Object value(char type, int depth) {
		if ((type == '{' || type == '[') && depth == MAX_DEPTH) {
			throw damaged("objects and arrays are nested more than %d deep".formatted(MAX_DEPTH));
		}
		return switch (type) {
			case '{' -> object(depth + 1);
			case '[' -> array(depth + 1);
			case 'S', 'H' -> text(marker());
			case 'C' -> String.valueOf((char) need(1).get());
			case 'T' -> "true";
			case 'F' -> "false";
			case 'Z' -> "null";
			case 'd' -> String.valueOf(need(Float.BYTES).getFloat());
			case 'D' -> String.valueOf(need(Double.BYTES).getDouble());
			default -> String.valueOf(integer(type));
		};
	}

	private Object array(int depth) {
		char marker = marker();
		if (marker == '$') {
			return typed(marker());
		}
		int size = (marker == '#') ? length(marker()) : Integer.MAX_VALUE;
		char first = (size == 0) ? ']' : (marker == '#') ? marker() : marker;
		if (NUMBERS.indexOf(first) >= 0) {
			return numbers(first, size);
		}
		List<Object> elements = new ArrayList<>();
		for (char type = first; type != ']'; type = (elements.size() == size) ? ']' : marker()) {
			elements.add(value(type, depth));
		}
		return elements;
	}

	private float[] typed(char type) {
		if (NUMBERS.indexOf(type) < 0 || marker() != '#') {
			throw damaged("an array has a type, and not one of numbers, or no length");
		}
		float[] numbers = new float[length(marker())];
		for (int i = 0; i < numbers.length; i++) {
			numbers[i] = number(type);
		}
		return numbers;
	}

	private float[] numbers(char first, int size) {
		List<Float> numbers = new ArrayList<>();
		for (char type = first; type != ']'; type = (numbers.size() == size) ? ']' : marker()) {
			numbers.add(number(type));
		}
		float[] array = new float[numbers.size()];
		for (int i = 0; i < array.length; i++) {
			array[i] = numbers.get(i);
		}
		return array;
	}

	private float number(char type) {
		return switch (type) {
			case 'd' -> need(Float.BYTES).getFloat();
			case 'D' -> (float) need(Double.BYTES).getDouble();
			case 'T' -> 1;
			case 'F' -> 0;
			default -> integer(type);
		};
	}

	private long integer(char type) {
		return switch (type) {
			case 'i' -> need(1).get();
			case 'U' -> need(1).get() & 0xff;
			case 'I' -> need(Short.BYTES).getShort();
			case 'l' -> need(Integer.BYTES).getInt();
			case 'L' -> need(Long.BYTES).getLong();
			default -> throw damaged("0x%02x is no type that belongs there".formatted((int) type));
		};
	}

	private String text(char lengthType) {
		byte[] text = new byte[length(lengthType)];
		this.bytes.get(text);
		return new String(text, StandardCharsets.UTF_8);
	}

	/** What has a length takes at least as many bytes. */
	private int length(char type) {
		long length = integer(type);
		if (length < 0 || length > this.bytes.remaining()) {
			throw damaged("a length is %d, and %d bytes follow".formatted(length, this.bytes.remaining()));
		}
		return (int) length;
	}

	private char marker() {
		return (char) (need(1).get() & 0xff);
	}

	private ByteBuffer need(int size) {
		if (this.bytes.remaining() < size) {
			throw damaged("%d bytes have to follow, and there are %d".formatted(size, this.bytes.remaining()));
		}
		return this.bytes;
	}

	private InvalidModelException damaged(String reason) {
		return new InvalidModelException("Before byte %d of %d, %s. The file is no UBJSON, or it is truncated."
			.formatted(this.bytes.position(), this.bytes.capacity(), reason));
	}

}
