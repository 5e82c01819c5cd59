package io.ringkernel.cuda.host;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;

/**
 * The state of a loop that has stopped in a host. It crosses the socket in pieces that a
 * frame has room for.
 */
final class RemoteState implements KernelMemory {

	/** How much crosses the socket at a time: half of what a frame of the host holds. */
	static final int PIECE_BYTES = Frame.MAX_BYTES / 2;

	private static final int MIN_BYTES_OF_FIELD = 2 * Integer.BYTES + Long.BYTES;

	/** The driver of the host has ten seconds for a copy. */
	private static final Duration PATIENCE = RemoteLoop.MARGIN.plusSeconds(10);

	private final String kernelId;

	private final HostProcess host;

	private final int loop;

	private final List<StateField> fields;

	/**
	 * Asks the host what the state consists of.
	 * @param loop the number of the loop
	 */
	RemoteState(String kernelId, HostProcess host, int loop) {
		this.kernelId = kernelId;
		this.host = host;
		this.loop = loop;
		this.fields = call(Operation.STATE, (out) -> {
		}, RemoteState::readFields);
	}

	/**
	 * Reads the fields.
	 */
	static List<StateField> readFields(FrameReader in) throws MalformedFrameException {
		int count = in.readCount(MIN_BYTES_OF_FIELD);
		List<StateField> fields = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			StateField field = new StateField(in.readString(), in.readString(), in.readLong());
			if (field.bytes() < 0) {
				throw new MalformedFrameException("a field of %d B".formatted(field.bytes()));
			}
			fields.add(field);
		}
		return List.copyOf(fields);
	}

	@Override
	public List<StateField> fields() {
		return this.fields;
	}

	@Override
	public void read(int field, long offset, ByteBuffer target) {
		for (long at = offset; target.hasRemaining();) {
			long from = at;
			int length = Math.min(target.remaining(), PIECE_BYTES);
			byte[] bytes = call(Operation.READ_STATE, (out) -> out.writeInt(field).writeLong(from).writeInt(length),
					(answer) -> exactly(length, answer.readBytes()));
			target.put(bytes);
			at += length;
		}
	}

	private static byte[] exactly(int length, byte[] bytes) throws MalformedFrameException {
		if (bytes.length != length) {
			throw new MalformedFrameException("%d B of state in place of %d".formatted(bytes.length, length));
		}
		return bytes;
	}

	@Override
	public void write(int field, long offset, ByteBuffer source) {
		for (long at = offset; source.hasRemaining();) {
			long to = at;
			byte[] bytes = new byte[Math.min(source.remaining(), PIECE_BYTES)];
			source.get(bytes);
			call(Operation.WRITE_STATE, (out) -> out.writeInt(field).writeLong(to).writeBytes(bytes),
					(answer) -> answer);
			at += bytes.length;
		}
	}

	/**
	 * Calls the host. An interrupt does not end this, as half of a state would be left,
	 * but is kept: the call is made again, and comes to the same.
	 */
	private <T> T call(Operation operation, Consumer<FrameWriter> arguments, Answer<T> reader) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					FrameReader answer = this.host.call(this.kernelId, operation, (out) -> {
						out.writeInt(this.loop);
						arguments.accept(out);
					}, PATIENCE);
					T found = reader.read(answer);
					answer.end();
					return found;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
				catch (MalformedFrameException ex) {
					throw this.host.malformed(ex);
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Reads the body of an answer.
	 *
	 * @param <T> what it holds
	 */
	@FunctionalInterface
	private interface Answer<T> {

		T read(FrameReader body) throws MalformedFrameException;

	}

}
