package io.ringkernel.state;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

import io.ringkernel.exception.SnapshotException;

/**
 * Writes a snapshot: to a draft beside the file it is to be, which it replaces in one
 * step once all of it is on the disk. Whatever happens meanwhile, the file is the
 * snapshot before or this one. Each writer has a draft of its own. Of several that write
 * the same file at once, the last one to commit decides what it holds. A process that is
 * killed leaves its draft, which may be deleted. <pre>
 *  0               8       12       16            16 + n
 *  | "RKSTATE\n"   | version |    n   | description | fields, one behind the other | CRC-32C |
 * </pre> The description holds the id of the kernel and the name, type and size of each
 * field. The check sum is that of everything before it. Numbers are little-endian, those
 * of the description big-endian.
 *
 * @since 0.2.0
 */
public final class SnapshotWriter implements AutoCloseable {

	static final long MAGIC = 0x0A455441_54534B52L;

	static final int VERSION = 1;

	static final int PREFIX_BYTES = 16;

	private final String kernelId;

	private final Path file;

	private final Path draft;

	private final FileChannel channel;

	private final CRC32C sum = new CRC32C();

	/**
	 * Begins a snapshot.
	 * @param kernelId the kernel
	 * @param file what it is to be written to; its directory exists
	 * @throws SnapshotException if the file cannot be written
	 */
	public SnapshotWriter(String kernelId, Path file) {
		this.kernelId = kernelId;
		this.file = file.toAbsolutePath();
		this.draft = this.file.resolveSibling("%s.%s.draft".formatted(this.file.getFileName(), UUID.randomUUID()));
		try {
			this.channel = FileChannel.open(this.draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
		}
		catch (IOException ex) {
			throw unwritable(ex);
		}
	}

	/**
	 * Writes the state.
	 * @param memory the state, whose kernel is at rest
	 * @throws SnapshotException if the file cannot be written
	 */
	public void write(KernelMemory memory) {
		try {
			List<StateField> fields = memory.fields();
			byte[] description = describe(fields);
			ByteBuffer piece = ByteBuffer.allocateDirect(KernelMemory.PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
			put(piece.putLong(MAGIC).putInt(VERSION).putInt(description.length).flip());
			put(ByteBuffer.wrap(description));
			for (int field = 0; field < fields.size(); field++) {
				long bytes = fields.get(field).bytes();
				for (long at = 0; at < bytes; at += KernelMemory.PIECE_BYTES) {
					piece.clear().limit((int) Math.min(KernelMemory.PIECE_BYTES, bytes - at));
					memory.read(field, at, piece);
					put(piece.rewind());
				}
			}
			put(piece.clear().putInt((int) this.sum.getValue()).flip());
		}
		catch (IOException ex) {
			throw unwritable(ex);
		}
	}

	private byte[] describe(List<StateField> fields) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.writeUTF(this.kernelId);
		out.writeInt(fields.size());
		for (StateField field : fields) {
			out.writeUTF(field.name());
			out.writeUTF(field.type());
			out.writeLong(field.bytes());
		}
		return bytes.toByteArray();
	}

	private void put(ByteBuffer bytes) throws IOException {
		this.sum.update(bytes.duplicate());
		while (bytes.hasRemaining()) {
			this.channel.write(bytes);
		}
	}

	/**
	 * Puts the snapshot in the place of the one before.
	 * @throws SnapshotException if the file cannot be written
	 */
	public void commit() {
		try {
			this.channel.force(true);
			Files.move(this.draft, this.file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			if (this.file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
				// There, the name of a file is in its directory only once that is on the
				// disk.
				try (FileChannel directory = FileChannel.open(this.file.resolveSibling("."), StandardOpenOption.READ)) {
					directory.force(true);
				}
			}
		}
		catch (IOException ex) {
			throw unwritable(ex);
		}
	}

	private SnapshotException unwritable(IOException cause) {
		return new SnapshotException(this.kernelId, "'%s' cannot be written (%s)".formatted(this.file, cause),
				"Check that its directory exists, may be written to and has room.", cause);
	}

	/** Deletes what was written, unless it was committed. */
	@Override
	public void close() {
		try {
			this.channel.close();
			Files.deleteIfExists(this.draft);
		}
		catch (IOException ex) {
			throw unwritable(ex);
		}
	}

}
