package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link VectorFile} has, to be read by any number of threads: parts of the file
 * are mapped once all of them have been written, and others are read by calls.
 */
final class StoredVectors {

	/** How much of the file is mapped at once. */
	private static final int CHUNK_BYTES = 16 << 20;

	private final Path path;

	private final FileChannel channel;

	private final int dimensions;

	private final ConcurrentMap<Integer, Chunk> chunks = new ConcurrentHashMap<>();

	StoredVectors(Path path, FileChannel channel, int dimensions) {
		this.path = path;
		this.channel = channel;
		this.dimensions = dimensions;
	}

	/** Reads the vector of a row, and requires that it is that of its document. */
	void read(int row, StoredRow stored, Object documents, float[] vectors, int offset) {
		try {
			Chunk chunk = chunk(row);
			// What is mapped is compared where it lies, because a copy takes longer than
			// that.
			ByteBuffer bytes = (chunk != null) ? chunk.bytes(row % rowsPerChunk() * rowBytes(), rowBytes())
					: readFully(row);
			if (stored.checksum() != StoredRow.checksum(bytes)) {
				throw new StorageException(
						"The vector of row %d in %s is damaged, or is not that of the document '%s' in %s."
							.formatted(row, this.path, stored.document().id(), documents),
						StorageException.RESTORE_BOTH, null);
			}
			bytes.asFloatBuffer().get(vectors, offset, this.dimensions);
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	float[] read(int row, StoredRow stored, Object documents) {
		float[] vector = new float[this.dimensions];
		read(row, stored, documents, vector, 0);
		return vector;
	}

	/** Reads the vectors of rows, which have been written, one after another. */
	float[] read(int... wanted) {
		float[] vectors = new float[wanted.length * this.dimensions];
		// Nothing is computed in between: a processor reads several rows at once.
		for (int i = 0; i < wanted.length; i++) {
			read(wanted[i], vectors, i * this.dimensions);
		}
		return vectors;
	}

	/** Reads the vector of a row, which has been written. */
	void read(int row, float[] vectors, int offset) {
		try {
			Chunk chunk = chunk(row);
			if (chunk != null) {
				chunk.elements().get(row % rowsPerChunk() * this.dimensions, vectors, offset, this.dimensions);
			}
			else {
				readFully(row).asFloatBuffer().get(vectors, offset, this.dimensions);
			}
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	/** The chunk of a row; {@code null} if the file does not have all of it yet. */
	private @Nullable Chunk chunk(int row) throws IOException {
		int chunk = row / rowsPerChunk();
		Chunk mapped = this.chunks.get(chunk);
		return (mapped != null) ? mapped : map(chunk);
	}

	private @Nullable Chunk map(int chunk) throws IOException {
		long bytes = (long) rowsPerChunk() * rowBytes();
		int first = chunk * rowsPerChunk();
		if (offset(first) + bytes > this.channel.size()) {
			return null;
		}
		Chunk mapped = Chunk.of(this.channel.map(MapMode.READ_ONLY, offset(first), bytes));
		this.chunks.put(chunk, mapped);
		return mapped;
	}

	private ByteBuffer readFully(int row) throws IOException {
		ByteBuffer bytes = ByteBuffer.allocate(rowBytes()).order(ByteOrder.LITTLE_ENDIAN);
		for (int read = 0; bytes.hasRemaining(); bytes.position(bytes.position() + read)) {
			read = this.channel.read(bytes.duplicate(), offset(row) + bytes.position());
			if (read < 0) {
				throw endsBefore(row);
			}
		}
		return bytes.flip();
	}

	private long offset(int row) {
		return VectorFile.offset(row, this.dimensions);
	}

	private int rowBytes() {
		return this.dimensions * Float.BYTES;
	}

	private int rowsPerChunk() {
		return Math.max(1, CHUNK_BYTES / rowBytes());
	}

	StorageException endsBefore(int row) {
		return new StorageException("%s ends before the vector of row %d.".formatted(this.path, row),
				StorageException.RESTORE_BOTH, null);
	}

	private static StorageException unreadable(IOException failure) {
		return new StorageException("Stored vectors could not be read.",
				"Check the disk that holds them, or " + StorageException.RESTORE, failure);
	}

	/** A part of the file, as bytes and as elements. */
	private record Chunk(ByteBuffer bytes, FloatBuffer elements) {

		static Chunk of(ByteBuffer mapped) {
			ByteBuffer bytes = mapped.order(ByteOrder.LITTLE_ENDIAN);
			return new Chunk(bytes, bytes.asFloatBuffer());
		}

		ByteBuffer bytes(int offset, int length) {
			return this.bytes.slice(offset, length).order(ByteOrder.LITTLE_ENDIAN);
		}

	}

}
