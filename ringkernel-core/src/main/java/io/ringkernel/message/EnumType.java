package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * An enum as the {@code int32_t} ordinal of its constant.
 */
record EnumType(Class<?> javaType) implements FieldType {

	@Override
	public int size() {
		return Integer.BYTES;
	}

	@Override
	public int alignment() {
		return Integer.BYTES;
	}

	@Override
	public boolean measured() {
		return false;
	}

	@Override
	public MethodHandle measurer(Site site) {
		return MethodHandles.dropArguments(MethodHandles.identity(int.class), 1, this.javaType);
	}

	@Override
	public MethodHandle writer(Site site) {
		return codec(site, "write", Handles.WRITER).asType(Handles.writerType(this.javaType));
	}

	@Override
	public MethodHandle reader(Site site) {
		return codec(site, "read", Handles.READER).asType(Handles.readerType(this.javaType));
	}

	private MethodHandle codec(Site site, String name, MethodType type) {
		return Handles.bind(new Codec(site, List.of(this.javaType.getEnumConstants())), name, type);
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, Field.Kind.ENUM, Field.Shape.SINGLE, false, this.javaType, offset, size(), alignment(),
				1, List.of());
	}

	/**
	 * Moves one constant.
	 */
	record Codec(Site site, List<?> constants) {

		// The ordinal is what a C enum is on the wire; the fingerprint covers the order.
		@SuppressWarnings("EnumOrdinal")
		int write(int end, Object constant, MessageBuffer target, int at) {
			target.putInt(at + this.site.offset(), ((Enum<?>) constant).ordinal());
			return end;
		}

		Object read(MessageBuffer source, int at, int length) {
			int ordinal = source.getInt(at + this.site.offset());
			if (ordinal < 0 || ordinal >= this.constants.size()) {
				throw this.site
					.corrupt("holds the ordinal " + ordinal + "; the enum has " + this.constants.size() + " constants");
			}
			return this.constants.get(ordinal);
		}

	}

}
