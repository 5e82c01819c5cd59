package io.ringkernel.spring.ai.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Metadata as JSON. Values come back as JSON has them: numbers as {@link Integer},
 * {@link Long}, {@link BigInteger} or {@link Double}, dates as ISO 8601 strings,
 * everything else as text, lists and maps.
 *
 * @since 0.2.0
 */
public final class MetadataJson {

	private static final TypeReference<LinkedHashMap<String, Object>> MAP = new TypeReference<>() {
	};

	/** Buffers of each thread's own: many threads contend for those of a common pool. */
	private static final JsonMapper MAPPER = JsonMapper
		.builder(JsonFactory.builder().recyclerPool(JsonRecyclerPools.threadLocalPool()).build())
		.build();

	private static final Set<Class<?>> AS_THEY_ARE = Set.of(String.class, Boolean.class, Integer.class, Long.class,
			Double.class, BigInteger.class);

	private static final String VALUE = "value";

	private static final ObjectReader READER = MAPPER.readerFor(MAP);

	private MetadataJson() {
	}

	/**
	 * Writes metadata.
	 * @param metadata the metadata
	 * @return a JSON object
	 * @throws tools.jackson.core.JacksonException if a value cannot be written
	 */
	public static String write(Map<String, ?> metadata) {
		Map<String, Object> values = new LinkedHashMap<>();
		metadata.forEach((key, value) -> values.put(key, plain(value)));
		return MAPPER.writeValueAsString(values);
	}

	/** A date must not become a count of milliseconds, nor a decimal lose its nature. */
	private static Object plain(Object value) {
		if (value instanceof Date date) {
			return instant(date).toString();
		}
		if (value instanceof BigDecimal decimal) {
			return decimal.doubleValue();
		}
		return value;
	}

	/** That of {@code java.sql.Date} refuses to be asked for its instant. */
	@SuppressWarnings("JavaUtilDate")
	private static Instant instant(Date date) {
		return Instant.ofEpochMilli(date.getTime());
	}

	/** Converts a value as {@link #write} and {@link #read} do. */
	static @Nullable Object stored(@Nullable Object value) {
		if (value == null || AS_THEY_ARE.contains(value.getClass()) || value instanceof Collection
				|| value instanceof Map) {
			return value;
		}
		return read(write(Map.of(VALUE, value))).get(VALUE);
	}

	/**
	 * Reads metadata. An empty {@link java.util.Optional}, like any {@code null}, is left
	 * out.
	 * @param json what {@link #write} has written
	 * @return the metadata, to be changed at will
	 */
	public static Map<String, Object> read(String json) {
		Map<String, Object> values = READER.readValue(json);
		values.values().removeIf(Objects::isNull);
		return values;
	}

}
