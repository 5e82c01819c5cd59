package io.ringkernel.cuda.image;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.message.Field;
import io.ringkernel.message.MessageLayout;

/**
 * What a worker that was compiled without its messages checks of a request, in the order
 * in which it does: the same as the member function {@code valid} that a header has.
 */
final class MessageChecks {

	/** What a check is. */
	enum Kind {

		/** An array of variable length lies within the message. */
		ARRAY(0),

		/**
		 * A mark of presence is 0 or 1; if it is 0, so many of the checks that follow are
		 * left out as its limit says.
		 */
		PRESENCE(1),

		/** A boolean is 0 or 1. */
		BOOLEAN(2),

		/** The ordinal of an enum is less than the limit. */
		ENUM(3);

		private final int code;

		Kind(int code) {
			this.code = code;
		}

		/**
		 * What the device knows it by.
		 */
		int code() {
			return this.code;
		}

	}

	/**
	 * One check.
	 *
	 * @param kind what it is
	 * @param offset of the member in the message
	 * @param limit as its kind has it: a capacity, a number of checks or of constants
	 * @param elementBytes the size of an element of an array, otherwise 0
	 */
	record Check(Kind kind, int offset, int limit, int elementBytes) {
	}

	private final List<Check> checks = new ArrayList<>();

	private MessageChecks() {
	}

	static List<Check> of(MessageLayout<?> layout) {
		MessageChecks checks = new MessageChecks();
		checks.add(layout.fields(), 0);
		return List.copyOf(checks.checks);
	}

	private void add(List<Field> fields, int base) {
		for (Field field : fields) {
			int offset = base + field.offset();
			if (!field.optional()) {
				addValue(field, offset);
				continue;
			}
			int mark = this.checks.size();
			addValue(field, offset + field.alignment());
			this.checks.add(mark, new Check(Kind.PRESENCE, offset, this.checks.size() - mark, 0));
		}
	}

	/** Nothing can be wrong with a number, and elements of arrays are not looked at. */
	private void addValue(Field field, int offset) {
		if (field.shape() == Field.Shape.VARIABLE) {
			this.checks.add(new Check(Kind.ARRAY, offset, field.count(), elementBytes(field)));
		}
		else if (field.shape() == Field.Shape.SINGLE) {
			switch (field.kind()) {
				case BOOLEAN -> this.checks.add(new Check(Kind.BOOLEAN, offset, 0, 0));
				case ENUM -> this.checks.add(new Check(Kind.ENUM, offset, field.type().getEnumConstants().length, 0));
				case RECORD -> add(field.fields(), offset);
				default -> {
					// Any bits are a number.
				}
			}
		}
	}

	private static int elementBytes(Field field) {
		return switch (field.kind()) {
			case BOOLEAN, BYTE, STRING -> Byte.BYTES;
			case SHORT, CHAR -> Short.BYTES;
			case INT, FLOAT, ENUM -> Integer.BYTES;
			case LONG, DOUBLE -> Long.BYTES;
			case RECORD -> recordBytes(field.fields());
		};
	}

	/** A record ends behind its last member, at a multiple of its alignment. */
	private static int recordBytes(List<Field> fields) {
		Field last = fields.get(fields.size() - 1);
		int alignment = fields.stream().mapToInt(Field::alignment).max().orElse(1);
		return (last.offset() + last.size() + alignment - 1) / alignment * alignment;
	}

}
