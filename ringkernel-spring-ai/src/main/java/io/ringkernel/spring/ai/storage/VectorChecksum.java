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

	/**
	 * Computes a checksum.
	 * @param elements holds the vector
	 * @param offset where in there it begins
	 * @param dimensions its elements
	 */
	static int of(float[] elements, int offset, int dimensions) {
		ByteBuffer bytes = ByteBuffer.allocate(dimensions * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		bytes.asFloatBuffer().put(elements, offset, dimensions);
		CRC32C checksum = new CRC32C();
		checksum.update(bytes);
		return (int) checksum.getValue();
	}

}
