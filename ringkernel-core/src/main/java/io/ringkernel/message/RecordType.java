package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/**
 * A record as a struct.
 *
 * @param type the record class
 * @param members its components in order
 * @param size the size of the struct in bytes, a multiple of its alignment
 * @param alignment the alignment of the struct
 * @param constructor the canonical constructor
 */
record RecordType(Class<?> type, List<Member> members, int size, int alignment,
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
	public boolean measured() {
		return this.members.stream().anyMatch((member) -> member.type().measured() || isReference(member));
	}

	private static boolean isReference(Member member) {
		return !member.type().javaType().isPrimitive();
	}

	@Override
	public MethodHandle measurer(Site site) {
		List<MethodHandle> steps = new ArrayList<>();
		for (Member member : this.members) {
			if (member.type().measured() || isReference(member)) {
				Site place = site.member(member.name(), member.offset());
				steps.add(member.fromRecord(member.type().measurer(place), place));
			}
		}
		return steps.isEmpty() ? MethodHandles.dropArguments(MethodHandles.identity(int.class), 1, this.type)
				: Handles.chain(steps);
	}

	@Override
	public MethodHandle writer(Site site) {
		List<MethodHandle> steps = new ArrayList<>();
		int end = 0;
		for (Member member : this.members) {
			pad(steps, site, end, member.offset());
			Site place = site.member(member.name(), member.offset());
			steps.add(member.fromRecord(member.type().writer(place), place));
			end = member.end();
		}
		pad(steps, site, end, this.size);
		return Handles.chain(steps);
	}

	private void pad(List<MethodHandle> steps, Site site, int from, int to) {
		if (from < to) {
			steps.add(new Padding(site.offset() + from, site.offset() + to).writer(this.type));
		}
	}

	@Override
	public MethodHandle reader(Site site) {
		MethodHandle reader = MethodHandles.dropArguments(this.constructor, this.members.size(),
				Handles.READER.parameterList());
		for (int i = this.members.size() - 1; i >= 0; i--) {
			Member member = this.members.get(i);
			reader = MethodHandles.foldArguments(reader, i,
					member.type().reader(site.member(member.name(), member.offset())));
		}
		return reader;
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

	@Override
	public Elements<?> elements(Site site) {
		Site element = site.element();
		return new RecordElements(this.type, this.size, site, measurer(element).asType(Handles.MEASURER),
				writer(element).asType(Handles.WRITER), reader(element).asType(Handles.READER));
	}

}
