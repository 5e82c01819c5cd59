package io.ringkernel.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The members of a struct and its nested structs as text, one a line. Lines hold all that
 * the binary layout consists of and nothing else, so equal layouts have equal tables.
 */
final class LayoutTable {

	private static final String HEADER = "  offset    size  align  component";

	private static final long FNV_OFFSET_BASIS = 0xcbf29ce484222325L;

	private static final long FNV_PRIME = 0x100000001b3L;

	private final StringBuilder lines = new StringBuilder();

	LayoutTable(RecordType type) {
		addAll("", 0, type.fields());
	}

	private void addAll(String prefix, int start, List<Field> fields) {
		for (Field field : fields) {
			add(prefix, start + field.offset(), field);
		}
	}

	private void add(String prefix, int offset, Field field) {
		String path = prefix + field.name();
		this.lines.append(String.format(Locale.ROOT, "%8d%8d%7d  %s %s\n", offset, field.size(), field.alignment(),
				path, field.notation()));
		if (field.shape() == Field.Shape.SINGLE) {
			addAll(path + ".", offset + (field.optional() ? field.alignment() : 0), field.fields());
		}
		else {
			addAll(path + "[].", 0, field.fields());
		}
	}

	String text() {
		return HEADER + "\n" + this.lines;
	}

	long fingerprint() {
		long hash = FNV_OFFSET_BASIS;
		for (byte unit : this.lines.toString().getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (unit & 0xFF)) * FNV_PRIME;
		}
		return hash;
	}

}
