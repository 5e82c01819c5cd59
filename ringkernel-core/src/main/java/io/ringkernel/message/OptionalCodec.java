package io.ringkernel.message;

import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves a value that may be absent, and the mark before it that says whether it is.
 *
 * @param site where the mark lies
 * @param valueBegin where the value begins, from the start of the message or element
 * @param valueEnd where it ends
 * @param end where the member ends
 */
record OptionalCodec(Site site, Wrapper wrapper, Codec value, int valueBegin, int valueEnd, int end) implements Codec {

	@Override
	public int measure(int end, @Nullable Object value) throws Throwable {
		Object present = present(value);
		return (present == null || this.value instanceof PrimitiveCodec) ? end
				: this.value.measure(end, this.wrapper.get(present));
	}

	@Override
	public int write(int end, @Nullable Object value, MessageBuffer target, int at) throws Throwable {
		Object present = present(value);
		if (present == null) {
			target.zero(at + this.site.offset(), at + this.end);
			return end;
		}
		target.putInt(at + this.site.offset(), 1);
		target.zero(at + this.site.offset() + Integer.BYTES, at + this.valueBegin);
		target.zero(at + this.valueEnd, at + this.end);
		return this.wrapper.write(end, present, this.value, target, at);
	}

	private @Nullable Object present(@Nullable Object value) {
		if (this.wrapper != Wrapper.NULLABLE) {
			this.site.required(value);
		}
		return this.wrapper.isPresent(value) ? value : null;
	}

	@Override
	public @Nullable Object read(MessageBuffer source, int at, int length) throws Throwable {
		int mark = source.getInt(at + this.site.offset());
		if ((mark & ~1) != 0) {
			throw this.site.corrupt("is marked present by " + Integer.toUnsignedString(mark) + "; the mark is 0 or 1");
		}
		return (mark != 0) ? this.wrapper.read(this.value, source, at, length) : this.wrapper.empty();
	}

}
