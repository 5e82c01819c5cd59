package io.ringkernel.cuda.host.remote;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.Durations;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's end of the socket to a host. One thread receives; any number send.
 * <p>
 * <strong>Silence is counted in looks, not in time.</strong> A look waits a tenth of a
 * second for bytes. If this whole process is held up, so are its looks: when it goes on,
 * the next one finds the beats that came meanwhile.
 *
 * @since 0.2.0
 */
public final class HostChannel {

	private static final Logger logger = LoggerFactory.getLogger(HostChannel.class);

	private static final long LOOK_MILLIS = 100;

	/** How long a frame may take to go out: the buffer of the socket holds dozens. */
	private static final Duration SEND = Duration.ofSeconds(5);

	private static final long SEND_REST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	private static final int BUFFER = 8 << 10;

	private final SocketChannel socket;

	private final Selector selector;

	private final Duration patience;

	private ByteBuffer received = ByteBuffer.allocate(BUFFER);

	/**
	 * Creates the channel of a socket, which is closed with it, and whose host may send
	 * nothing for so long.
	 */
	public HostChannel(SocketChannel socket, Duration patience) throws IOException {
		this.socket = socket;
		this.patience = patience;
		this.selector = Selector.open();
		socket.configureBlocking(false);
		socket.register(this.selector, SelectionKey.OP_READ);
	}

	/** Sends a frame; fails if the host is gone, or takes nothing for long. */
	synchronized void send(HostFrame frame) throws IOException {
		ByteBuffer buffer = frame.toBuffer();
		long begin = System.nanoTime();
		while (buffer.hasRemaining()) {
			if (this.socket.write(buffer) == 0) {
				if (System.nanoTime() - begin > SEND.toNanos()) {
					throw new IOException("it took nothing for " + Durations.format(SEND));
				}
				LockSupport.parkNanos(this, SEND_REST_NANOS);
			}
		}
	}

	/**
	 * Waits for the first frame. What has not proved yet that it is the host is given a
	 * single deadline: bytes that trickle in do not extend it.
	 * @throws IOException if there is none in whole within the patience, and why
	 */
	public HostFrame receiveFirst() throws IOException {
		long begin = System.nanoTime();
		do {
			look();
			HostFrame frame = take();
			if (frame != null) {
				return frame;
			}
		}
		while (System.nanoTime() - begin < this.patience.toNanos());
		throw new IOException("it did not say who it is within " + Durations.format(this.patience));
	}

	/** Waits for a frame; the failure says why there is none. */
	HostFrame receive() throws IOException {
		long silentLooks = 0;
		while (true) {
			HostFrame frame = take();
			if (frame != null) {
				return frame;
			}
			if (look()) {
				silentLooks = 0;
			}
			else if (++silentLooks * LOOK_MILLIS >= this.patience.toMillis()) {
				throw new IOException("it gave no sign of life for " + Durations.format(this.patience));
			}
		}
	}

	private @Nullable HostFrame take() throws MalformedFrameException {
		HostFrame frame = HostFrame.take(this.received.flip());
		makeRoom();
		return frame;
	}

	/** Waits for bytes, but not for long, and tells whether there were some. */
	private boolean look() throws IOException {
		if (this.selector.select(LOOK_MILLIS) == 0) {
			if (!this.selector.isOpen()) {
				throw new IOException("its socket was closed");
			}
			return false;
		}
		this.selector.selectedKeys().clear();
		if (this.socket.read(this.received) < 0) {
			throw new IOException("it has closed its socket, or has ended");
		}
		return true;
	}

	/** A frame has been checked to be of a bounded size before it is waited for. */
	private void makeRoom() {
		this.received.compact();
		if (!this.received.hasRemaining()) {
			this.received = ByteBuffer.allocate(2 * this.received.capacity()).put(this.received.flip());
		}
	}

	/**
	 * Receives frames until there are no more, and tells why there are not: a clause. An
	 * error ends that as well: a host that is not listened to is ended.
	 */
	String receive(Received receiver) {
		try {
			while (true) {
				receiver.frame(receive());
			}
		}
		catch (MalformedFrameException ex) {
			return "it has sent what is no frame: " + ex.getMessage();
		}
		catch (IOException | RuntimeException ex) {
			return (ex.getMessage() != null) ? ex.getMessage() : ex.toString();
		}
		catch (Error ex) {
			return "what it has sent could not be taken: " + ex;
		}
	}

	/** Tells the host that nothing more is sent, which ends it. */
	void shutdown() {
		try {
			this.socket.shutdownOutput();
		}
		catch (IOException ex) {
			logger.debug("The kernel host has ended already", ex);
		}
	}

	public void close() {
		try {
			this.socket.close();
			this.selector.close();
		}
		catch (IOException ex) {
			logger.debug("The socket of a kernel host could not be closed", ex);
		}
	}

	@FunctionalInterface
	interface Received {

		/** Called on the thread that receives. */
		void frame(HostFrame frame) throws MalformedFrameException;

	}

}
