package io.ringkernel.spring.ai.storage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The name of the embedding model that a file of vectors notes; empty if it is not known.
 */
record ModelName(String text) {

	private static final int MAX_BYTES = 1024;

	static ModelName read(ByteBuffer header, int offset) {
		byte[] bytes = new byte[Math.max(0, Math.min(header.getInt(offset), MAX_BYTES))];
		header.get(offset + Integer.BYTES, bytes);
		return new ModelName(new String(bytes, StandardCharsets.UTF_8));
	}

	/** What the file has of it: bytes of UTF-8 behind their count. */
	ByteBuffer bytes(Path file) {
		byte[] bytes = this.text.getBytes(StandardCharsets.UTF_8);
		if (bytes.length > MAX_BYTES) {
			throw new StorageException("The name of the embedding model takes %d bytes, but %s has room for %d."
				.formatted(bytes.length, file, MAX_BYTES), "Set the model-name of the store to a shorter name.", null);
		}
		return ByteBuffer.allocate(Integer.BYTES + bytes.length)
			.order(ByteOrder.LITTLE_ENDIAN)
			.putInt(bytes.length)
			.put(bytes)
			.flip();
	}

	/** Requires that the vectors of a file are of this model, if it is known. */
	void requireSame(ModelName stored, Path file) {
		if (!this.text.isEmpty() && !stored.equals(this)) {
			throw new StorageException(
					"%s holds vectors of the embedding model '%s', but the application has the embedding model '%s'."
						.formatted(file, stored.text(), this.text),
					"Use the model that the documents were embedded with, or set the directory of the store to another directory and add them again. If both names are of the same model, set the model-name of the store to '%s'."
						.formatted(stored.text()),
					null);
		}
	}

}
