package io.ringkernel.sample.web;

import java.util.Arrays;

import io.ringkernel.Capacity;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

import org.springframework.boot.jackson.JacksonComponent;

/**
 * Reads {@code float[]} strictly: numbers only, each within the range of float, and no
 * more of them than the component's {@link Capacity}. It stops at the first element too
 * many, so that a body takes no more memory than a message could.
 */
@JacksonComponent
class FloatArrayDeserializer extends ValueDeserializer<float[]> {

	private static final int INITIAL_LENGTH = 64;

	private final int capacity;

	FloatArrayDeserializer() {
		this(Integer.MAX_VALUE);
	}

	private FloatArrayDeserializer(int capacity) {
		this.capacity = capacity;
	}

	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
		Capacity bound = (property != null) ? property.getAnnotation(Capacity.class) : null;
		return (bound != null) ? new FloatArrayDeserializer(bound.value()) : this;
	}

	@Override
	public float[] deserialize(JsonParser parser, DeserializationContext context) {
		if (!parser.isExpectedStartArrayToken()) {
			throw new InvalidInputException("", "is no array of numbers", null, null);
		}
		float[] elements = new float[Math.min(INITIAL_LENGTH, this.capacity)];
		int length = 0;
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			if (length == this.capacity) {
				throw new InvalidInputException("", "has more than %d elements".formatted(this.capacity), this.capacity,
						null);
			}
			if (length == elements.length) {
				elements = Arrays.copyOf(elements, (int) Math.min(2L * length, this.capacity));
			}
			elements[length] = element(parser, length);
			length++;
		}
		return Arrays.copyOf(elements, length);
	}

	private static float element(JsonParser parser, int index) {
		JsonToken token = parser.currentToken();
		if (token == null || !token.isNumeric()) {
			throw new InvalidInputException("[%d]".formatted(index), "is no number", null, null);
		}
		float element = parser.getFloatValue();
		if (!Float.isFinite(element)) {
			throw new InvalidInputException("[%d]".formatted(index), "is beyond the range of float", Float.MAX_VALUE,
					null);
		}
		return element;
	}

}
