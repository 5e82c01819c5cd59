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
	public Class<?> sequenceType() {
		return String.class;
	}

	@Override
	public int elementSize() {
		return 1;
	}

	@Override
	public int elementAlignment() {
		return 1;
	}

}
