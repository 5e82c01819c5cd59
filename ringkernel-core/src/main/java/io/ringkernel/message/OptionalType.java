package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * A value that may be absent: {@code struct { uint32_t present; T value; }}. The value's
 * bytes are zero when it is absent.
 *
 * @param wrapper how Java says that it is absent
 * @param value the type of the value
 */
record OptionalType(Wrapper wrapper, FieldType value) implements FieldType {

	@Override
	public Class<?> javaType() {
		return this.wrapper.type();
	}

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
	public boolean measured() {
		return this.value.measured();
	}

	@Override
	public boolean nullable() {
		return this.wrapper.nullable();
	}

	@Override
	public MethodHandle measurer(Site site) {
		MethodHandle present = unwrapping(this.value.measurer(site.value(alignment())));
		MethodHandle absent = MethodHandles.dropArguments(MethodHandles.identity(int.class), 1, javaType());
		return MethodHandles.guardWithTest(isPresent(), present, absent);
	}

	@Override
	public MethodHandle writer(Site site) {
		MethodHandle flag = presence(site, "writePresent", Handles.WRITER).asType(Handles.writerType(javaType()));
		MethodHandle present = unwrapping(this.value.writer(site.value(alignment())));
		MethodHandle absent = presence(site, "writeAbsent", Handles.WRITER).asType(Handles.writerType(javaType()));
		return MethodHandles.guardWithTest(isPresent(), Handles.chain(List.of(flag, present)), absent);
	}

	@Override
	public MethodHandle reader(Site site) {
		MethodHandle present = MethodHandles.filterReturnValue(this.value.reader(site.value(alignment())),
				this.wrapper.of());
		MethodHandle absent = MethodHandles.dropArguments(this.wrapper.empty(), 0, Handles.READER.parameterList());
		return MethodHandles.guardWithTest(presence(site, "isPresent", Handles.readerType(boolean.class)), present,
				absent);
	}

	private MethodHandle isPresent() {
		return MethodHandles.dropArguments(this.wrapper.isPresent(), 0, int.class);
	}

	private MethodHandle unwrapping(MethodHandle handle) {
		return MethodHandles.filterArguments(handle, 1, this.wrapper.get());
	}

	private MethodHandle presence(Site site, String method, MethodType type) {
		int begin = site.offset();
		int valueBegin = begin + alignment();
		Padding before = new Padding(begin + Integer.BYTES, valueBegin);
		Padding after = new Padding(valueBegin + this.value.size(), begin + size());
		return Handles.bind(new Presence(site, before, after), method, type);
	}

	@Override
	public Field field(String name, int offset) {
		return this.value.field(name, offset).asOptional(size(), alignment());
	}

	/**
	 * Moves the flag.
	 */
	record Presence(Site site, Padding before, Padding after) {

		int writePresent(int end, Object wrapper, MessageBuffer target, int at) {
			target.putInt(at + this.site.offset(), 1);
			this.before.zero(end, target, at);
			this.after.zero(end, target, at);
			return end;
		}

		int writeAbsent(int end, Object wrapper, MessageBuffer target, int at) {
			target.zero(at + this.site.offset(), at + this.after.to());
			return end;
		}

		boolean isPresent(MessageBuffer source, int at, int length) {
			int flag = source.getInt(at + this.site.offset());
			if ((flag & ~1) != 0) {
				throw this.site
					.corrupt("is marked present by " + Integer.toUnsignedString(flag) + "; the mark is 0 or 1");
			}
			return flag != 0;
		}

	}

}
