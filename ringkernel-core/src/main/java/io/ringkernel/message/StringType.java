package io.ringkernel.message;

/**
 * The bytes of a string.
 */
record StringType() implements ElementType {

	@Override
	public Field.Kind kind() {
		return Field.Kind.STRING;
	}

	@Override
	public Class<?> type() {
		return String.class;
	}

	@Override
	public int size() {
		return 1;
	}

	@Override
	public int alignment() {
		return 1;
	}

}
