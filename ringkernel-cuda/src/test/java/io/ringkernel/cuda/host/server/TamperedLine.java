package io.ringkernel.cuda.host.server;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.ringkernel.cuda.host.DeviceHostMain;
import io.ringkernel.cuda.host.Tampering;
import io.ringkernel.cuda.host.remote.HostChannel;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel host that is a part of this process, at the other end of real sockets, with a
 * {@link Tampering} on either way of the line, or on none.
 */
public final class TamperedLine {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private final HostedBackends hosted = new HostedBackends(new DeviceHostMain.Device(), (id) -> (request) -> request);

	private final ExecutorService calls = HostServer.callThreads();

	private final List<Throwable> unexpected = Collections.synchronizedList(new ArrayList<>());

	private final List<Thread> threads = new ArrayList<>();

	private final PlayedProcess process;

	private final HostProcess supervised;

	/**
	 * Connects an application with a host.
	 * @param directory where the sockets are
	 * @param onLost what is told once the host has ended
	 */
	public TamperedLine(Path directory, @Nullable Tampering toHost, @Nullable Tampering toApplication,
			Consumer<HostProcess> onLost) throws IOException {
		SocketChannel[] near = pair(directory);
		SocketChannel[] far = pair(directory);
		this.process = new PlayedProcess(() -> close(near[1], far[0], far[1]));
		HostServer server = new HostServer(far[1], this.hosted, this.calls, () -> this.process.exit(HostServer.BROKEN));
		start(() -> pump(near[1], far[0], toHost));
		start(() -> pump(far[0], near[1], toApplication));
		start(() -> serve(server));
		this.supervised = new HostProcess(this.process, new HostChannel(near[0], PATIENCE),
				Files.createTempDirectory(directory, "ringkernel-host-"), HostProcess.BEGINNING, onLost);
	}

	private static SocketChannel[] pair(Path directory) throws IOException {
		Path socket = Files.createTempFile(directory, "line", null);
		Files.delete(socket);
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			server.bind(UnixDomainSocketAddress.of(socket));
			return new SocketChannel[] { SocketChannel.open(UnixDomainSocketAddress.of(socket)), server.accept() };
		}
		finally {
			Files.delete(socket);
		}
	}

	private void start(Runnable task) {
		Thread thread = new Thread(task, "tampered-line");
		thread.setDaemon(true);
		this.threads.add(thread);
		thread.start();
	}

	/** An end of the line that closes, or a cut, ends both ways of it. */
	private void pump(SocketChannel from, SocketChannel to, @Nullable Tampering tampering) {
		try (from; to) {
			DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(from)));
			while (tampering == null || !tampering.cutsLine()) {
				HostFrame frame = HostFrame.read(in);
				List<ByteBuffer> arriving = (tampering != null) ? tampering.replace(frame) : List.of(frame.toBuffer());
				ByteBuffer all = ByteBuffer.allocate(arriving.stream().mapToInt(ByteBuffer::remaining).sum());
				arriving.forEach(all::put);
				to.write(all.flip());
			}
		}
		catch (MalformedFrameException ex) {
			// What comes in here was sent by the product.
			this.unexpected.add(ex);
		}
		catch (IOException ex) {
			assertThat(ex).isNotNull();
		}
	}

	private void serve(HostServer server) {
		int status = HostServer.BROKEN;
		try {
			server.serve();
		}
		catch (EOFException ex) {
			status = HostServer.ENDED;
		}
		catch (IOException ex) {
			status = HostServer.BROKEN;
		}
		catch (RuntimeException | Error ex) {
			this.unexpected.add(ex);
		}
		finally {
			this.process.exit(status);
		}
	}

	private static void close(SocketChannel... channels) {
		try {
			for (SocketChannel channel : channels) {
				channel.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public HostProcess supervised() {
		return this.supervised;
	}

	/**
	 * Waits until the host has ended and gives back what it holds, as the end of a
	 * process does.
	 */
	public void verifyEnded() throws Exception {
		assertThat(this.process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		for (Thread thread : this.threads) {
			thread.join(LIMIT.toMillis());
			assertThat(thread.isAlive()).isFalse();
		}
		this.calls.shutdownNow();
		assertThat(this.calls.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("calls end").isTrue();
		release(this.hosted);
		assertThat(this.unexpected).isEmpty();
	}

	/**
	 * Gives back what a host holds.
	 */
	static void release(HostedBackends hosted) throws Exception {
		for (int number = hosted.lastNumber(); number > 0; number--) {
			perform(hosted, HostOperation.CLOSE, new FrameWriter().writeInt(number).writeBoolean(false));
			perform(hosted, HostOperation.UNMAP, new FrameWriter().writeInt(number));
			perform(hosted, HostOperation.CLOSE_BACKEND, new FrameWriter().writeInt(number));
		}
	}

	private static void perform(HostedBackends hosted, HostOperation operation, FrameWriter body) throws Exception {
		hosted.perform(operation, new FrameReader(body.toBytes()));
	}

}
