package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;

import org.springframework.util.FileSystemUtils;

/**
 * A file of vectors, each at the place of its row, which is mapped to be read:
 *
 * <pre>
 *       0  magic, 8 bytes
 *       8  version, dimensions: 4 bytes each
 *      16  identity, 8 bytes
 *      24  a version of the documents that is on the disk, 8 bytes
 *      32  the name of the embedding model: bytes of UTF-8 behind their count, 4 bytes
 *    4096  row 0: dimensions × 4 bytes, little-endian as all of it
 *          row 1
 *          ...
 * </pre>
 *
 * It does not say which rows are in use. Vectors are written by calls, not through the
 * mapping, because a full disk is then an {@link IOException} rather than a fault.
 */
final class VectorFile implements AutoCloseable {

	private static final long MAGIC = 0x53524F5443455652L;

	private static final int VERSION = 2;

	private static final int DOCUMENTS_VERSION_OFFSET = 24;

	private static final int MODEL_OFFSET = 32;

	private static final int HEADER_BYTES = 4096;

	/** What is gathered for a write: a vector, and no more than a cache holds. */
	private static final int WRITE_BYTES = 1 << 20;

	private final Path path;

	private final SteadyChannel channel;

	private final int dimensions;

	private final ModelName model;

	/** Whether it is to survive the process, and so has to reach the disk. */
	private final boolean isDurable;

	private long identity;

	/** Whether the file had noted a model when it was opened. */
	private boolean namesModel;

	private long documentsVersion;

	/** Outside the heap, from where a channel writes without another copy. */
	private final ByteBuffer gathered = ByteBuffer.allocateDirect(WRITE_BYTES).order(ByteOrder.LITTLE_ENDIAN);

	private final StoredVectors stored;

	private VectorFile(Path path, SteadyChannel channel, int dimensions, ModelName model, boolean isDurable) {
		this.path = path;
		this.channel = channel;
		this.dimensions = dimensions;
		this.model = model;
		this.isDurable = isDurable;
		this.stored = new StoredVectors(path, channel, dimensions);
	}

	/** Opens or creates a file, which must be of the same model and dimensions. */
	static VectorFile open(Path path, int dimensions, String model) throws IOException {
		return open(path, dimensions, new ModelName(model), true);
	}

	/** Creates another file for vectors of the same model. */
	VectorFile create(Path copy) throws IOException {
		return open(copy, this.dimensions, this.model, true);
	}

	/** Opens a file that is deleted when it is closed. */
	static VectorFile temporary(int dimensions) throws IOException {
		Path path = Files.createTempFile("ringkernel-vectors", ".bin");
		// Not by the channel, which may have to open the file again.
		path.toFile().deleteOnExit();
		return open(path, dimensions, new ModelName(""), false);
	}

	private static VectorFile open(Path path, int dimensions, ModelName model, boolean isDurable) throws IOException {
		SteadyChannel channel = new SteadyChannel(() -> FileChannel.open(path, StandardOpenOption.CREATE,
				StandardOpenOption.READ, StandardOpenOption.WRITE));
		try {
			VectorFile file = new VectorFile(path, channel, dimensions, model, isDurable);
			file.checkHeader();
			return file;
		}
		catch (IOException | RuntimeException ex) {
			channel.close();
			throw ex;
		}
	}

	private void checkHeader() throws IOException {
		ByteBuffer header = buffer(HEADER_BYTES);
		if (this.channel.size() < HEADER_BYTES) {
			// Shorter than a header: its process ended before anything was stored.
			this.identity = new SecureRandom().nextLong();
			header.putLong(MAGIC).putInt(VERSION).putInt(this.dimensions).putLong(this.identity).rewind();
			writeFully(header, 0);
			force();
			return;
		}
		for (int read = 0; read >= 0 && header.hasRemaining();) {
			read = this.channel.read(header, header.position());
		}
		header.flip();
		if (header.getLong() != MAGIC) {
			throw new StorageException("%s is no file of vectors.".formatted(this.path),
					"Set the directory of the store to another directory, or restore documents.mv and vectors.bin from one backup.",
					null);
		}
		int version = header.getInt();
		if (version != VERSION) {
			throw new StorageException(
					"%s is a file of vectors of format %d, but this version reads format %d.".formatted(this.path,
							version, VERSION),
					"Set the directory of the store to another directory, and add the documents again.", null);
		}
		int stored = header.getInt();
		if (stored != this.dimensions) {
			throw new StorageException(
					"%s holds vectors of %d dimensions, but the embedding model makes %d.".formatted(this.path, stored,
							this.dimensions),
					"Use the model that the documents were embedded with, or set the directory of the store to another directory and add them again.",
					null);
		}
		this.identity = header.getLong();
		this.documentsVersion = header.getLong();
		ModelName noted = ModelName.read(header, MODEL_OFFSET);
		this.namesModel = !noted.text().isEmpty();
		if (this.namesModel) {
			this.model.requireSame(noted, this.path);
		}
	}

	/** Notes the model. A file that notes none yet is of this one. */
	void noteModel() throws IOException {
		if (!this.namesModel) {
			writeFully(this.model.bytes(this.path), MODEL_OFFSET);
			force();
		}
	}

	/** What distinguishes it from every other file. */
	long identity() {
		return this.identity;
	}

	/** Whether no vector was ever written. */
	boolean isEmpty() throws IOException {
		return this.channel.size() == HEADER_BYTES;
	}

	/** A version of the documents that was on the disk: an older one is not current. */
	long documentsVersion() {
		return this.documentsVersion;
	}

	/** Notes a version that is on the disk. The note is there with the next vectors. */
	void noteDocumentsVersion(long version) throws IOException {
		this.documentsVersion = version;
		writeFully(buffer(Long.BYTES).putLong(version).flip(), DOCUMENTS_VERSION_OFFSET);
	}

	/** Writes vectors of rows that ascend as far as possible. One thread at a time. */
	void write(int[] rows, List<float[]> vectors) throws IOException {
		int rowsPerWrite = WRITE_BYTES / rowBytes();
		for (int from = 0; from < rows.length;) {
			int to = from + 1;
			while (to < rows.length && to - from < rowsPerWrite && rows[to] == rows[to - 1] + 1) {
				to++;
			}
			FloatBuffer elements = this.gathered.clear().limit((to - from) * rowBytes()).asFloatBuffer();
			vectors.subList(from, to).forEach(elements::put);
			writeFully(this.gathered, offset(rows[from]));
			from = to;
		}
	}

	/** Copies the first rows of another file to the same places. */
	void copyRows(VectorFile source, int rows) throws IOException {
		for (long from = HEADER_BYTES, copied; from < offset(rows); from += copied) {
			copied = source.channel.copyTo(this.channel, from, offset(rows) - from);
			if (copied == 0) {
				throw source.stored.endsBefore(rows - 1);
			}
		}
	}

	/** Gives back what lies behind the first rows, of which nothing was read before. */
	void truncate(int rows) throws IOException {
		this.channel.truncate(offset(rows));
	}

	/** Has what was written on the disk, unless the file is temporary. */
	void force() throws IOException {
		if (this.isDurable) {
			this.channel.force(false);
		}
	}

	/** The vectors that have been written, for any number of threads. */
	StoredVectors stored() {
		return this.stored;
	}

	private void writeFully(ByteBuffer source, long offset) throws IOException {
		long position = offset;
		while (source.hasRemaining()) {
			position += this.channel.write(source, position);
		}
	}

	private long offset(int row) {
		return offset(row, this.dimensions);
	}

	static long offset(int row, int dimensions) {
		return HEADER_BYTES + (long) row * dimensions * Float.BYTES;
	}

	private int rowBytes() {
		return this.dimensions * Float.BYTES;
	}

	private static ByteBuffer buffer(int bytes) {
		return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
	}

	@Override
	public void close() throws IOException {
		this.channel.close();
		if (!this.isDurable) {
			// Windows keeps what is still mapped until the exit.
			FileSystemUtils.deleteRecursively(this.path.toFile());
		}
	}

	@Override
	public String toString() {
		return this.path.toString();
	}

}
