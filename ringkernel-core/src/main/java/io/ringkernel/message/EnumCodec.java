package io.ringkernel.message;

import java.util.List;

import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves one constant of an enum as its ordinal. The ordinal is what a C enum is; the
 * fingerprint of the layout covers the order of the constants.
 */
record EnumCodec(Site site, List<?> constants) implements Codec {

	@Override
	public int measure(int end, @Nullable Object value) {
		this.site.required(value);
		return end;
	}

	@Override
	@SuppressWarnings("EnumOrdinal")
	public int write(int end, @Nullable Object value, MessageBuffer target, int at) {
		target.putInt(at + this.site.offset(), ((Enum<?>) this.site.required(value)).ordinal());
		return end;
	}

	@Override
	public Object read(MessageBuffer source, int at, int length) {
		int ordinal = source.getInt(at + this.site.offset());
		if (ordinal < 0 || ordinal >= this.constants.size()) {
			throw this.site
				.corrupt("holds the ordinal " + ordinal + "; the enum has " + this.constants.size() + " constants");
		}
		return this.constants.get(ordinal);
	}

}
