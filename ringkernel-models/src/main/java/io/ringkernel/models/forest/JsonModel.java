package io.ringkernel.models.forest;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads the JSON of a model. Numbers in arrays are parsed as floats from their text, not
 * by way of a double, so that they have the bits that were written.
 */
final class JsonModel {

	private static final int MAX_DEPTH = 32;

	private static final JsonFactory FACTORY = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
		.enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
		.build();

	private JsonModel() {
	}

	static boolean begins(byte[] file) {
		return new String(file, StandardCharsets.ISO_8859_1).stripLeading().startsWith("{");
	}

	static ModelDocument read(InputStream in) {
		try (JsonParser parser = FACTORY.createParser(tools.jackson.core.ObjectReadContext.empty(), in)) {
			parser.nextToken();
			return new ModelDocument("", object(parser));
		}
		catch (JacksonException ex) {
			throw new InvalidModelException("The file is no JSON, or it is truncated: " + ex.getOriginalMessage(), ex);
		}
	}

	private static Map<String, Object> object(JsonParser parser) {
		Map<String, Object> values = new HashMap<>();
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			parser.nextToken();
			if (ModelDocument.UNUSED.contains(name)) {
				parser.skipChildren();
			}
			else {
				values.put(name, value(parser));
			}
		}
		return values;
	}

	private static Object value(JsonParser parser) {
		return switch (parser.currentToken()) {
			case START_OBJECT -> object(parser);
			case START_ARRAY -> array(parser);
			default -> parser.getString();
		};
	}

	private static Object array(JsonParser parser) {
		JsonToken token = parser.nextToken();
		if (isNumber(token)) {
			return numbers(parser);
		}
		List<Object> elements = new ArrayList<>();
		for (; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
			elements.add(value(parser));
		}
		return elements;
	}

	private static float[] numbers(JsonParser parser) {
		float[] numbers = new float[16];
		int size = 0;
		for (JsonToken token = parser.currentToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
			if (!isNumber(token)) {
				throw new InvalidModelException("'%s' is in an array of numbers.".formatted(parser.getString()));
			}
			if (size == numbers.length) {
				numbers = Arrays.copyOf(numbers, 2 * size);
			}
			numbers[size++] = number(parser, token);
		}
		return Arrays.copyOf(numbers, size);
	}

	/** Versions before 2.0 write whether a default is left as a boolean. */
	private static boolean isNumber(@Nullable JsonToken token) {
		return token != null && (token.isNumeric() || token.isBoolean());
	}

	private static float number(JsonParser parser, JsonToken token) {
		return token.isBoolean() ? (token == JsonToken.VALUE_TRUE ? 1 : 0) : Float.parseFloat(parser.getString());
	}

}
