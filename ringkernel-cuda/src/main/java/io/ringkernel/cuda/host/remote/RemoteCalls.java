package io.ringkernel.cuda.host.remote;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.MalformedFrameException;

/**
 * Calls of a host that concern one thing there, and that nothing may leave half done: an
 * interrupt does not end them, but is kept.
 *
 * @param number the number of what they concern
 * @since 0.2.0
 */
public record RemoteCalls(String kernelId, HostProcess host, int number) {

	/** The driver of the host has ten seconds for a copy. */
	static final Duration PATIENCE = RemoteLoop.MARGIN.plusSeconds(10);

	/** Makes a call, with arguments behind the number. */
	<T> T make(HostOperation operation, Consumer<FrameWriter> arguments, Answer<T> reader) {
		return this.host.callUninterrupted(this.kernelId, operation, (out) -> {
			out.writeInt(this.number);
			arguments.accept(out);
		}, PATIENCE, reader);
	}

	/** Replaces the bytes from an offset on, in pieces that a frame has room for. */
	void send(HostOperation operation, Consumer<FrameWriter> what, long offset, ByteBuffer source) {
		for (long at = offset; source.hasRemaining();) {
			long to = at;
			byte[] piece = new byte[Math.min(source.remaining(), HostFrame.PIECE_BYTES)];
			source.get(piece);
			make(operation, what.andThen((out) -> out.writeLong(to).writeBytes(piece)), Answer.DONE);
			at += piece.length;
		}
	}

	/** Reads the bytes from an offset on, in such pieces. */
	void receive(HostOperation operation, Consumer<FrameWriter> what, long offset, ByteBuffer target) {
		for (long at = offset; target.hasRemaining();) {
			long from = at;
			int length = Math.min(target.remaining(), HostFrame.PIECE_BYTES);
			byte[] piece = make(operation, what.andThen((out) -> out.writeLong(from).writeInt(length)),
					(answer) -> exactly(length, answer));
			target.put(piece);
			at += length;
		}
	}

	private static byte[] exactly(int length, FrameReader answer) throws MalformedFrameException {
		byte[] bytes = answer.readBytes();
		if (bytes.length != length) {
			throw new MalformedFrameException("%d B in place of %d".formatted(bytes.length, length));
		}
		return bytes;
	}

}
