package io.ringkernel.cuda.host;

import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.ringkernel.Durations;
import io.ringkernel.cuda.host.remote.HostChannel;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.HostDirectory;
import io.ringkernel.cuda.host.wire.HostFailureException;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.PeerUser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts kernel hosts. A host connects to a socket in a directory that this user alone
 * can enter, and proves that it is the process which was started by a secret that was
 * written to its standard input.
 *
 * @param beginning how long a kernel may take to be loaded or started, besides what it
 * waits for
 */
record HostLauncher(String mainClass, HostOptions options, Duration beginning) {

	private static final Logger logger = LoggerFactory.getLogger(HostLauncher.class);

	private static final int SECRET_BYTES = 32;

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	HostLauncher(String mainClass, HostOptions options) {
		this(mainClass, options, HostProcess.BEGINNING);
	}

	/**
	 * Starts a host and waits until it has connected.
	 * @throws HostFailureException if it does not start
	 */
	HostProcess launch(Consumer<HostProcess> onLost) {
		Path directory = null;
		Process process = null;
		HostChannel channel = null;
		boolean launched = false;
		try {
			directory = HostDirectory.create(Path.of(System.getProperty("java.io.tmpdir")));
			Path socket = directory.resolve("socket");
			try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
				server.bind(UnixDomainSocketAddress.of(socket)).configureBlocking(false);
				String secret = secret();
				process = start(HostCommand.of(this.mainClass, socket));
				pump(process);
				try (OutputStream input = process.getOutputStream()) {
					input.write((secret + "\n").getBytes(StandardCharsets.US_ASCII));
				}
				channel = accept(server, process, directory, secret);
			}
			HostProcess host = new HostProcess(process, channel, directory, this.beginning, onLost);
			launched = true;
			logger.info("The kernel host is process {}", host.pid());
			if (HostCommand.isServedByMps(System.getenv())) {
				logger
					.warn("The kernel host does not use NVIDIA's Multi-Process Service, which runs on this machine: a "
							+ "kernel might run on there after its host has ended. Set ringkernel.isolation to none to use it");
			}
			return host;
		}
		catch (IOException ex) {
			throw new HostFailureException("The kernel host cannot be started: %s. Set ringkernel.isolation to none."
				.formatted(ex.getMessage()));
		}
		finally {
			if (!launched) {
				undo(directory, process, channel);
			}
		}
	}

	/**
	 * Starts the process. A thread of the JDK waits for its end, stays for a minute after
	 * that, and inherits the context class loader. That of an application may be replaced
	 * before, as DevTools does.
	 */
	private static Process start(ProcessBuilder command) throws IOException {
		Thread thread = Thread.currentThread();
		ClassLoader ofApplication = thread.getContextClassLoader();
		thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
		try {
			return command.start();
		}
		finally {
			thread.setContextClassLoader(ofApplication);
		}
	}

	private static void undo(@Nullable Path directory, @Nullable Process process, @Nullable HostChannel channel) {
		if (channel != null) {
			channel.close();
		}
		if (process != null) {
			process.destroyForcibly();
		}
		if (directory != null) {
			HostDirectory.delete(directory);
		}
	}

	private static String secret() {
		byte[] secret = new byte[SECRET_BYTES];
		new SecureRandom().nextBytes(secret);
		return HexFormat.of().formatHex(secret);
	}

	private static void pump(Process process) {
		Thread output = new Thread(new HostOutput(process.pid(), process.getInputStream()),
				"ringkernel-host-" + process.pid() + "-output");
		output.setDaemon(true);
		output.start();
	}

	/** Waits for the host. Whoever else connects is turned away. */
	private HostChannel accept(ServerSocketChannel server, Process process, Path directory, String secret)
			throws IOException {
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < this.options.startTimeout().toNanos()) {
			if (!process.isAlive()) {
				throw new IOException(
						"it ended at once, with exit status %d; the log has its output".formatted(process.exitValue()));
			}
			SocketChannel socket = server.accept();
			if (socket == null) {
				LockSupport.parkNanos(this, LOOK_NANOS);
				continue;
			}
			HostChannel channel = new HostChannel(socket, this.options.silenceTimeout());
			boolean accepted = false;
			try {
				OptionalInt version = versionOfHost(socket, channel, directory, secret);
				if (version.isPresent()) {
					check(version.getAsInt());
					accepted = true;
					return channel;
				}
			}
			finally {
				if (!accepted) {
					channel.close();
				}
			}
		}
		throw new IOException("it did not connect within " + Durations.format(this.options.startTimeout()));
	}

	/**
	 * The version of the protocol that the host speaks; empty if something else has
	 * connected.
	 */
	private static OptionalInt versionOfHost(SocketChannel socket, HostChannel channel, Path directory, String secret) {
		try {
			PeerUser.check(socket, directory);
			HostFrame hello = channel.receiveFirst();
			FrameReader body = new FrameReader(hello.body());
			int version = body.readInt();
			if (hello.kind() != HostFrame.Kind.HELLO
					|| !MessageDigest.isEqual(body.readString().getBytes(StandardCharsets.US_ASCII),
							secret.getBytes(StandardCharsets.US_ASCII))) {
				throw new IOException("it does not know the secret");
			}
			return OptionalInt.of(version);
		}
		catch (IOException ex) {
			logger.warn("Something other than the kernel host has connected to its socket: {}", ex.getMessage());
			return OptionalInt.empty();
		}
	}

	/** A host has another version if a jar was replaced since this process has begun. */
	private static void check(int version) throws IOException {
		if (version != HostFrame.VERSION) {
			throw new IOException(
					"it speaks version %d of the protocol and the application version %d; restart the application, whose jar was replaced"
						.formatted(version, HostFrame.VERSION));
		}
	}

}
