package io.ringkernel.message;

import java.util.List;
import java.util.function.Function;

/**
 * An enum as the {@code int32_t} ordinal of its constant.
 */
record EnumType(Class<?> type) implements FieldType {

	@Override
	public int size() {
		return Integer.BYTES;
	}

	@Override
	public int alignment() {
		return Integer.BYTES;
	}

	@Override
	public Codec codec(Site site, Function<RecordCodec, Codec> records) {
		return new EnumCodec(site, List.of(this.type.getEnumConstants()));
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, Field.Kind.ENUM, Field.Shape.SINGLE, false, this.type, offset, size(), alignment(), 1,
				List.of());
	}

}
