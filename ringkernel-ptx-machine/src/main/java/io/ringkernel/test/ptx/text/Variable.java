package io.ringkernel.test.ptx.text;

import java.util.Objects;

/**
 * A variable as it is declared. Two variables are the same if they are declared at the
 * same place.
 *
 * @since 0.2.0
 */
public final class Variable {

	private final String name;

	private final Space space;

	private final ScalarType type;

	private final int alignment;

	private final long bytes;

	private final byte[] initial;

	Variable(String name, Space space, ScalarType type, int alignment, long bytes, byte[] initial) {
		this.name = name;
		this.space = space;
		this.type = type;
		this.alignment = Math.max(alignment, Math.max(1, type.bytes()));
		this.bytes = bytes;
		this.initial = initial;
	}

	/**
	 * Its name.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Where it lies.
	 * @return the space
	 */
	public Space space() {
		return this.space;
	}

	/**
	 * The type of its elements.
	 * @return the type
	 */
	public ScalarType type() {
		return this.type;
	}

	/**
	 * What its address is a multiple of.
	 * @return bytes
	 */
	public int alignment() {
		return this.alignment;
	}

	/**
	 * Its size.
	 * @return bytes; 0 if a launch decides
	 */
	public long bytes() {
		return this.bytes;
	}

	/**
	 * Its first value, behind which it is zero.
	 * @return the bytes; not to be changed
	 */
	public byte[] initial() {
		return this.initial;
	}

	/**
	 * The name of the register that a parameter of a function is, from an offset.
	 * @param offset bytes from its beginning
	 * @return a key
	 */
	public Object at(long offset) {
		return new Part(this, offset);
	}

	@Override
	public String toString() {
		return this.name;
	}

	private record Part(Variable variable, long offset) {

		private Part {
			Objects.requireNonNull(variable);
		}

	}

}
