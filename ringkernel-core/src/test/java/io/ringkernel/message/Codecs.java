package io.ringkernel.message;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The two codecs that every message has; what is tested of one holds for the other.
 */
enum Codecs {

	GENERATED(GeneratedCodec::of),

	REFLECTIVE((codec) -> codec);

	private final Function<RecordCodec, Codec> records;

	private final Map<Class<?>, MessageLayout<?>> layouts = new ConcurrentHashMap<>();

	Codecs(Function<RecordCodec, Codec> records) {
		this.records = records;
	}

	@SuppressWarnings("unchecked")
	<T extends Record> MessageLayout<T> layout(Class<T> type) {
		return (MessageLayout<T>) this.layouts.computeIfAbsent(type, (key) -> new MessageLayout<>(type, this.records));
	}

}
