package io.ringkernel.test.ptx.text;

import org.jspecify.annotations.Nullable;

/**
 * A variable as it is declared. Two variables are the same if they are declared at the
 * same place.
 *
 * @param name its name
 * @param space where it lies
 * @param type the type of its elements
 * @param alignment what its address is a multiple of, in bytes
 * @param bytes its size; 0 if a launch decides
 * @param initial its first value, behind which it is zero; not to be changed
 * @since 0.2.0
 */
public record Variable(String name, Space space, ScalarType type, int alignment, long bytes, byte[] initial) {

	/** An alignment is at least the size of an element. */
	public Variable {
		alignment = Math.max(alignment, Math.max(1, type.bytes()));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
