package io.ringkernel.spring.ai.storage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * What a row holds: a document, and the checksum that ties the vector of the row to it:
 * CRC-32C of its elements, little-endian as the file has them.
 */
record StoredRow(StoredDocument document, int checksum) {

	/** Computes the checksum of a vector that is not in the file yet. */
	static int checksum(float[] elements) {
		ByteBuffer bytes = ByteBuffer.allocate(elements.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		bytes.asFloatBuffer().put(elements);
		return checksum(bytes);
	}

	/** Computes the checksum of a vector at the position of a buffer. */
	static int checksum(ByteBuffer bytes) {
		CRC32C checksum = new CRC32C();
		checksum.update(bytes.duplicate());
		return (int) checksum.getValue();
	}

}
