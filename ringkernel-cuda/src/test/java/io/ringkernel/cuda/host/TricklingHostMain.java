package io.ringkernel.cuda.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.ringkernel.cuda.host.wire.HostFrame;

/**
 * A host that comes second: what connects before it announces a long greeting, and sends
 * a byte of it now and then.
 */
final class TricklingHostMain {

	private static final int MILLIS_A_BYTE = 20;

	private TricklingHostMain() {
	}

	public static void main(String[] arguments) throws Exception {
		SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(Path.of(arguments[0])));
		other.write(ByteBuffer.allocate(Integer.BYTES).putInt(HostFrame.MAX_BYTES).flip());
		ScheduledExecutorService trickle = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "trickle");
			thread.setDaemon(true);
			return thread;
		});
		trickle.scheduleAtFixedRate(() -> sendByte(other), 0, MILLIS_A_BYTE, TimeUnit.MILLISECONDS);
		DeviceHostMain.main(arguments);
	}

	/** A failure ends the trickle: it was turned away. */
	private static void sendByte(SocketChannel other) {
		try {
			other.write(ByteBuffer.allocate(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
