package io.ringkernel.message;

import java.util.function.Function;

/**
 * A value that may be absent: {@code struct { uint32_t present; T value; }}. The value's
 * bytes are zero when it is absent.
 */
record OptionalType(Wrapper wrapper, FieldType value) implements FieldType {

	@Override
	public int size() {
		return (int) LayoutBuilder.aligned((long) alignment() + this.value.size(), alignment());
	}

	/**
	 * Returns the alignment, which is the offset of the value too: it is at least the
	 * size of the flag, and a multiple of the value's alignment.
	 */
	@Override
	public int alignment() {
		return Math.max(Integer.BYTES, this.value.alignment());
	}

	@Override
	public long extend(long end) {
		return this.value.extend(end);
	}

	@Override
	public Codec codec(Site site, Function<RecordCodec, Codec> records) {
		int valueBegin = site.offset() + alignment();
		return new OptionalCodec(site, this.wrapper, this.value.codec(site.value(alignment()), records), valueBegin,
				valueBegin + this.value.size(), site.offset() + size());
	}

	@Override
	public Field field(String name, int offset) {
		return this.value.field(name, offset).asOptional(size(), alignment());
	}

}
