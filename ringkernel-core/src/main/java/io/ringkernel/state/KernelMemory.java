package io.ringkernel.state;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The state of a kernel whose loop has stopped. Where it lies makes no difference to what
 * is read: fields in the same order, little-endian, a number that is no element of an
 * array in 8 bytes.
 *
 * @since 0.2.0
 */
public interface KernelMemory {

	/** A field of at most as many bytes is read and written as a whole. */
	int PIECE_BYTES = 4 << 20;

	/**
	 * {@return what the state consists of: the fields, by name}
	 */
	List<StateField> fields();

	/**
	 * Reads a part of a field.
	 * @param field the index of the field
	 * @param offset where to begin, in bytes: a multiple of {@link #PIECE_BYTES}
	 * @param target where to, little-endian; is filled from its position to its limit
	 */
	void read(int field, long offset, ByteBuffer target);

	/**
	 * Replaces a part of a field.
	 * @param field the index of the field
	 * @param offset where to begin, in bytes: a multiple of {@link #PIECE_BYTES}
	 * @param source what with, little-endian, from its position to its limit
	 */
	void write(int field, long offset, ByteBuffer source);

}
