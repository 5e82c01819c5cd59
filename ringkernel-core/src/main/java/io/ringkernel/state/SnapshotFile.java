package io.ringkernel.state;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

import io.ringkernel.exception.PartlyRestoredException;
import io.ringkernel.exception.SnapshotException;

/**
 * A snapshot as {@link SnapshotWriter} has written it, all of which was checked.
 *
 * @since 0.2.0
 */
public final class SnapshotFile implements AutoCloseable {

	private static final int LONGEST_DESCRIPTION = 1 << 20;

	private static final int CHUNK_BYTES = 1 << 16;

	private final String kernelId;

	private final Path file;

	/** An interrupt does not close it, which would leave the half of a state. */
	private final RandomAccessFile content;

	/** What it had when it was opened: it is no snapshot if it grows since. */
	private final long size;

	private final List<StateField> fields = new ArrayList<>();

	private final ByteBuffer piece;

	private final byte[] chunk = new byte[CHUNK_BYTES];

	private long dataOffset;

	SnapshotFile(String kernelId, Path file, RandomAccessFile content) throws IOException {
		this.kernelId = kernelId;
		this.file = file;
		this.content = content;
		this.size = content.length();
		this.piece = ByteBuffer.allocateDirect((int) Math.min(KernelMemory.PIECE_BYTES, this.size))
			.order(ByteOrder.LITTLE_ENDIAN);
	}

	/**
	 * Opens and checks a snapshot.
	 * @param kernelId the kernel that it is to be of
	 * @param file where it is
	 * @return the snapshot
	 * @throws SnapshotException if it cannot be read, is damaged, or is of another kernel
	 */
	public static SnapshotFile open(String kernelId, Path file) {
		try {
			SnapshotFile snapshot = new SnapshotFile(kernelId, file, new RandomAccessFile(file.toFile(), "r"));
			try {
				snapshot.check();
				return snapshot;
			}
			catch (IOException | RuntimeException ex) {
				snapshot.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw unreadable(kernelId, file, ex);
		}
	}

	void check() throws IOException {
		ByteBuffer prefix = at(0, SnapshotWriter.PREFIX_BYTES);
		expect("magic", Long.toHexString(prefix.getLong()), Long.toHexString(SnapshotWriter.MAGIC));
		expect("version", prefix.getInt(), SnapshotWriter.VERSION);
		int length = prefix.getInt();
		if (length < 0 || length > LONGEST_DESCRIPTION) {
			throw refuse(
					"its description has %d B, and at most %d are expected".formatted(length, LONGEST_DESCRIPTION));
		}
		byte[] description = new byte[length];
		at(SnapshotWriter.PREFIX_BYTES, length).get(description);
		this.dataOffset = SnapshotWriter.PREFIX_BYTES + (long) length;
		String owner = readDescription(new DataInputStream(new ByteArrayInputStream(description)));
		long end = this.dataOffset;
		for (StateField field : this.fields) {
			if (field.bytes() < 0 || field.bytes() > this.size) {
				throw refuse(
						"its field '%s' has %d B, and the file %d".formatted(field.name(), field.bytes(), this.size));
			}
			end += field.bytes();
		}
		expect("length", this.size, end + Integer.BYTES);
		expect("check sum", Integer.toHexString(at(end, Integer.BYTES).getInt()), Integer.toHexString(sumTo(end)));
		expect("kernel", owner, this.kernelId);
	}

	private String readDescription(DataInputStream in) throws IOException {
		String owner = in.readUTF();
		int count = in.readInt();
		for (int i = 0; i < count; i++) {
			this.fields.add(new StateField(in.readUTF(), in.readUTF(), in.readLong()));
		}
		return owner;
	}

	private int sumTo(long end) throws IOException {
		CRC32C sum = new CRC32C();
		for (long at = 0; at < end; at += KernelMemory.PIECE_BYTES) {
			sum.update(at(at, (int) Math.min(KernelMemory.PIECE_BYTES, end - at)));
		}
		return (int) sum.getValue();
	}

	private ByteBuffer at(long offset, int length) throws IOException {
		long end = offset + length;
		if (end > this.size) {
			throw refuse("it ends at %d B, and %d are expected".formatted(this.size, end));
		}
		this.piece.clear().limit(length);
		this.content.seek(offset);
		while (this.piece.hasRemaining()) {
			int read = this.content.read(this.chunk, 0, Math.min(CHUNK_BYTES, this.piece.remaining()));
			if (read < 0) {
				throw new EOFException("It was cut while it was read");
			}
			this.piece.put(this.chunk, 0, read);
		}
		return this.piece.flip();
	}

	/**
	 * Gives a kernel the state that was saved.
	 * @param memory where to, whose kernel is at rest
	 * @throws SnapshotException if it has other fields, or if the file cannot be read;
	 * its state is left alone
	 * @throws PartlyRestoredException if the file can no longer be read once a part of
	 * the state was replaced
	 */
	public void restore(KernelMemory memory) {
		expect("state", this.fields, memory.fields());
		boolean begun = false;
		try {
			long data = this.dataOffset;
			for (int field = 0; field < this.fields.size(); field++) {
				long bytes = this.fields.get(field).bytes();
				for (long at = 0; at < bytes; at += KernelMemory.PIECE_BYTES) {
					ByteBuffer next = at(data + at, (int) Math.min(KernelMemory.PIECE_BYTES, bytes - at));
					begun = true;
					memory.write(field, at, next);
				}
				data += bytes;
			}
		}
		catch (IOException ex) {
			throw begun ? new PartlyRestoredException(this.kernelId, this.file, ex)
					: unreadable(this.kernelId, this.file, ex);
		}
	}

	private void expect(String what, Object found, Object expected) {
		if (!found.equals(expected)) {
			throw refuse("its %s is %s, and %s is expected".formatted(what, found, expected));
		}
	}

	private SnapshotException refuse(String problem) {
		return new SnapshotException(this.kernelId,
				"'%s' is no snapshot of it, or is damaged: %s".formatted(this.file, problem),
				"Use a snapshot that this kernel has written with the same fields, or remove it from the directory that it is restored from.",
				null);
	}

	private static SnapshotException unreadable(String kernelId, Path file, IOException cause) {
		return new SnapshotException(kernelId, "'%s' cannot be read (%s)".formatted(file, cause),
				"Check that it is there, complete and readable.", cause);
	}

	@Override
	public void close() {
		try {
			this.content.close();
		}
		catch (IOException ex) {
			throw unreadable(this.kernelId, this.file, ex);
		}
	}

}
