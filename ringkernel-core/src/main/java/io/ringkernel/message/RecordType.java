package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A record as a struct.
 *
 * @param type the record class
 * @param members its components in order
 * @param size the size of the struct in bytes, a multiple of its alignment
 * @param alignment the alignment of the struct
 * @param constructor the canonical constructor, with every reference as {@link Object}
 */
record RecordType(Class<?> type, List<RecordType.Member> members, int size, int alignment,
		MethodHandle constructor) implements FieldType, ElementType {

	@Override
	public Class<?> javaType() {
		return this.type;
	}

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

	@Override
	public Class<?> sequenceType() {
		return this.type.arrayType();
	}

	@Override
	public int elementSize() {
		return this.size;
	}

	@Override
	public int elementAlignment() {
		return this.alignment;
	}

	/**
	 * One component of a record in its struct.
	 *
	 * @param name the name of the component
	 * @param type its type
	 * @param offset the distance in bytes from the start of the struct
	 * @param accessor reads the component: {@code (Object) → V}, with a reference as
	 * {@link Object}
	 */
	record Member(String name, FieldType type, int offset, MethodHandle accessor) {

		int end() {
			return this.offset + this.type.size();
		}

	}

}
