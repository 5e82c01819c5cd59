package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A record as a struct.
 *
 * @param size in bytes, a multiple of the alignment
 * @param constructor the canonical constructor, with every reference as {@link Object}
 */
record RecordType(Class<?> type, List<RecordType.Member> members, int size, int alignment,
		MethodHandle constructor) implements FieldType, ElementType {

	@Override
	public long extend(long end) {
		long extended = end;
		for (Member member : this.members) {
			extended = member.type().extend(extended);
		}
		return extended;
	}

	@Override
	public Codec codec(Site site, Function<RecordCodec, Codec> records) {
		List<RecordCodec.Part> parts = new ArrayList<>();
		List<RecordCodec.Gap> gaps = new ArrayList<>();
		int end = 0;
		for (Member member : this.members) {
			gap(gaps, site, end, member.offset());
			Codec codec = member.type().codec(site.member(member.name(), member.offset()), records);
			parts.add(new RecordCodec.Part(member.accessor(), codec));
			end = member.end();
		}
		gap(gaps, site, end, this.size);
		return records.apply(new RecordCodec(site, List.copyOf(parts), List.copyOf(gaps), this.constructor));
	}

	private static void gap(List<RecordCodec.Gap> gaps, Site site, int from, int to) {
		if (from < to) {
			gaps.add(new RecordCodec.Gap(site.offset() + from, site.offset() + to));
		}
	}

	@Override
	public Codec elementCodec(Site site, Function<RecordCodec, Codec> records) {
		return codec(site, records);
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, Field.Kind.RECORD, Field.Shape.SINGLE, false, this.type, offset, this.size,
				this.alignment, 1, fields());
	}

	@Override
	public List<Field> fields() {
		return this.members.stream().map((member) -> member.type().field(member.name(), member.offset())).toList();
	}

	@Override
	public Field.Kind kind() {
		return Field.Kind.RECORD;
	}

	/** Where a component lies, as {@link MessageLayout#offset} says. */
	int offset(String component, Class<?> wanted) {
		int offset = 0;
		List<Field> among = fields();
		Field field = null;
		for (String name : component.split("\\.", -1)) {
			field = among.stream()
				.filter((candidate) -> candidate.name().equals(name) && candidate.isInPlace())
				.findFirst()
				.orElseThrow(() -> noSuch(component, wanted));
			offset += field.offset();
			among = (field.shape() == Field.Shape.SINGLE) ? field.fields() : List.of();
		}
		if (field == null || field.type() != wanted || field.kind() == Field.Kind.RECORD) {
			throw noSuch(component, wanted);
		}
		return offset;
	}

	private IllegalArgumentException noSuch(String component, Class<?> wanted) {
		return new IllegalArgumentException("%s has no component '%s' of type %s in place; it has %s".formatted(
				this.type.getSimpleName(), component, wanted.getSimpleName(),
				fields().stream()
					.map((field) -> field.name() + " " + field.notation())
					.collect(Collectors.joining(", "))));
	}

	/**
	 * One component of a record in its struct, {@code offset} bytes from its start. The
	 * accessor is {@code (Object) → V}, with a reference as {@link Object}.
	 */
	record Member(String name, FieldType type, int offset, MethodHandle accessor) {

		int end() {
			return this.offset + this.type.size();
		}

	}

}
