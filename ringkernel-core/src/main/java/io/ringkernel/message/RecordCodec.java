package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.util.List;

import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves a record by calling its accessors and its constructor reflectively: in a native
 * image, and wherever no class can be defined. Elsewhere {@link GeneratedCodec} does what
 * is described here.
 *
 * @param site where the record lies
 * @param parts its components in order
 * @param gaps the bytes of the struct that belong to no component. They are written as
 * zeros: equal messages have equal bytes, and nothing of an earlier message remains.
 * @param constructor the canonical constructor, with every reference as {@link Object}
 */
record RecordCodec(Site site, List<Part> parts, List<Gap> gaps, MethodHandle constructor) implements Codec {

	@Override
	public int measure(int end, @Nullable Object value) throws Throwable {
		required(value);
		int extended = end;
		for (Part part : this.parts) {
			if (!(part.codec() instanceof PrimitiveCodec)) {
				extended = part.codec().measure(extended, (Object) part.accessor().invoke(value));
			}
		}
		return extended;
	}

	@Override
	public int write(int end, @Nullable Object value, MessageBuffer target, int at) throws Throwable {
		required(value);
		for (Gap gap : this.gaps) {
			gap.zero(target, at);
		}
		int extended = end;
		for (Part part : this.parts) {
			extended = part.codec().write(extended, (Object) part.accessor().invoke(value), target, at);
		}
		return extended;
	}

	@Override
	public Object read(MessageBuffer source, int at, int length) throws Throwable {
		@Nullable Object[] values = new @Nullable Object[this.parts.size()];
		for (int i = 0; i < values.length; i++) {
			values[i] = this.parts.get(i).codec().read(source, at, length);
		}
		return this.constructor.invokeWithArguments(values);
	}

	void required(@Nullable Object value) {
		this.site.required(value);
	}

	/**
	 * One component: how to read it, {@code (Object) → V} with a reference as
	 * {@link Object}, and what moves its value.
	 */
	record Part(MethodHandle accessor, Codec codec) {

	}

	/**
	 * Bytes {@code [from, to)} between components, counted from the start of the message
	 * or element.
	 */
	record Gap(int from, int to) {

		void zero(MessageBuffer target, int at) {
			target.zero(at + this.from, at + this.to);
		}

	}

}
