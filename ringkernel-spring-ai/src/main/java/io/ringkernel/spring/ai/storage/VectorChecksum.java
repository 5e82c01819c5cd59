package io.ringkernel.spring.ai.storage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The checksum of a vector: CRC-32C of its elements, little-endian as the file has them.
 */
final class VectorChecksum {

	private VectorChecksum() {
	}

	/** Computes the checksum of a vector that is not in the file yet. */
	static int of(float[] elements) {
		ByteBuffer bytes = ByteBuffer.allocate(elements.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		bytes.asFloatBuffer().put(elements);
		return of(bytes);
	}

	/**
	 * Computes the checksum of a vector as the file has it.
	 * @param bytes the vector; stays at the same position
	 */
	static int of(ByteBuffer bytes) {
		CRC32C checksum = new CRC32C();
		checksum.update(bytes.duplicate());
		return (int) checksum.getValue();
	}

}
