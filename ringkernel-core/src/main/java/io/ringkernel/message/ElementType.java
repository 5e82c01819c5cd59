package io.ringkernel.message;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * An element: what arrays and strings are made of.
 */
sealed interface ElementType permits PrimitiveType, RecordType, StringType {

	Field.Kind kind();

	Class<?> type();

	int size();

	int alignment();

	default List<Field> fields() {
		return List.of();
	}

	default @Nullable Codec elementCodec(Site site, Function<RecordCodec, Codec> records) {
		return null;
	}

}
