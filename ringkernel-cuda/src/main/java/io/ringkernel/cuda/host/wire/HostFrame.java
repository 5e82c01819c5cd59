package io.ringkernel.cuda.host.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/**
 * What application and host send each other over their socket. <pre>
 *     0  bytes that follow, u32    4  kind, u8    5  number of the call, u32    9  body
 * </pre> All numbers are big endian. A frame of the host has {@value #MAX_BYTES} bytes at
 * most, and one of the application {@value #MAX_CALL_BYTES}, as it may hold an image.
 *
 * @param call the call that it asks for or answers, counted by the application; 0 if none
 * @since 0.2.0
 */
public record HostFrame(Kind kind, int call, byte[] body) {

	/** What both sides must agree on: frames, operations and the codes of failures. */
	public static final int VERSION = 7;

	public static final int MAX_BYTES = 1 << 20;

	static final int MAX_CALL_BYTES = HostedImage.MAX_BYTES + MAX_BYTES;

	/** How much of memory crosses at a time: half of what a frame of the host holds. */
	public static final int PIECE_BYTES = MAX_BYTES / 2;

	private static final int HEAD_BYTES = 5;

	/** What a frame is. */
	public enum Kind {

		/** The host proves who it is; its first frame. */
		HELLO(1),
		/** The application asks for an {@link HostOperation}. */
		CALL(2),
		/** The host has done what it was asked for. */
		DONE(3),
		/** It could not; the body is a {@link HostFailures failure}. */
		FAILED(4),
		/** The host lives, and this is how its loops are. */
		BEAT(5);

		private final int code;

		Kind(int code) {
			this.code = code;
		}

		private static Kind of(int code) throws MalformedFrameException {
			for (Kind kind : values()) {
				if (kind.code == code) {
					return kind;
				}
			}
			throw new MalformedFrameException("a frame of the unknown kind " + code);
		}

	}

	public ByteBuffer toBuffer() {
		ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + HEAD_BYTES + this.body.length);
		buffer.putInt(HEAD_BYTES + this.body.length);
		buffer.put((byte) this.kind.code).putInt(this.call).put(this.body);
		return buffer.flip();
	}

	/**
	 * Takes a frame off what was received; {@code null} if it is not there in whole yet.
	 * @throws MalformedFrameException if what begins there is no frame
	 */
	public static @Nullable HostFrame take(ByteBuffer received) throws MalformedFrameException {
		if (received.remaining() < Integer.BYTES) {
			return null;
		}
		int length = checked(received.getInt(received.position()), MAX_BYTES);
		if (received.remaining() < Integer.BYTES + length) {
			return null;
		}
		received.getInt();
		Kind kind = Kind.of(received.get());
		int call = received.getInt();
		byte[] body = new byte[length - HEAD_BYTES];
		received.get(body);
		return new HostFrame(kind, call, body);
	}

	/**
	 * Waits for a frame of the application.
	 * @throws IOException if the peer is gone, or has sent no frame
	 */
	public static HostFrame read(DataInputStream in) throws IOException {
		int length = checked(in.readInt(), MAX_CALL_BYTES);
		Kind kind = Kind.of(in.readByte());
		int call = in.readInt();
		byte[] body = new byte[length - HEAD_BYTES];
		in.readFully(body);
		return new HostFrame(kind, call, body);
	}

	private static int checked(int length, int most) throws MalformedFrameException {
		if (length < HEAD_BYTES || length > most) {
			throw new MalformedFrameException("a frame of %d B".formatted(length));
		}
		return length;
	}

}
