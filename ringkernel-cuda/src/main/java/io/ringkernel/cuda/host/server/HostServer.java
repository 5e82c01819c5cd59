package io.ringkernel.cuda.host.server;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostDirectory;
import io.ringkernel.cuda.host.wire.HostFailures;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.PeerUser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel host: a process that opens backends and loads loops for an application, on
 * memory that both have mapped, and ends with it.
 * <p>
 * <strong>It never outlives the application.</strong> Its main thread reads the socket
 * and does nothing else, so it sees the end of the application whatever the driver does,
 * and halts. What the process holds goes back with it. Signals that can be left to the
 * application do not end it.
 *
 * @since 0.2.0
 */
public final class HostServer {

	private static final Logger logger = LoggerFactory.getLogger(HostServer.class);

	/** For backends that run images: the handlers are in the application. */
	public static final Function<String, RingKernelHandler<Record, Record>> NO_HANDLERS = (kernelId) -> (request) -> {
		throw new IllegalStateException("The handler of '%s' is in the application.".formatted(kernelId));
	};

	/** The exit status if the application has ended, or has closed the socket. */
	static final int ENDED = 0;

	/** The exit status if the socket is broken, or what it carries. */
	public static final int BROKEN = 70;

	/** How often the host gives a sign of life. */
	static final long BEAT_NANOS = 100_000_000;

	/**
	 * How many calls run side by side: more than an application has kernels that start at
	 * once.
	 */
	static final int MAX_CALLS = 256;

	private static final long LONGEST_EXIT_NANOS = 500_000_000;

	private final SocketChannel channel;

	private final HostedBackends backends;

	private final Executor workers;

	private final Runnable end;

	/**
	 * Creates the host's end of a conversation.
	 * @param workers what performs calls; it may reject a call that is one too many
	 * @param end what ends the conversation when a call turns out to be malformed
	 */
	HostServer(SocketChannel channel, HostedBackends backends, Executor workers, Runnable end) {
		this.channel = channel;
		this.backends = backends;
		this.workers = workers;
		this.end = end;
	}

	/** Threads for calls, each of which may wait for the driver. */
	static ExecutorService callThreads() {
		return new ThreadPoolExecutor(0, MAX_CALLS, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), (task) -> {
			Thread thread = new Thread(task, "ringkernel-host-call");
			thread.setDaemon(true);
			return thread;
		});
	}

	/**
	 * Serves the application that has started this process. Does not return.
	 * @param arguments the path of the socket, whose directory is this process's own and
	 * is deleted when it ends; the secret that proves who connects is the first line of
	 * the standard input
	 * @param provider what opens backends here
	 * @param handlers what stands for the handler of a kernel by its id, or
	 * {@link #NO_HANDLERS}
	 */
	public static void run(String[] arguments, BackendProvider provider,
			Function<String, RingKernelHandler<Record, Record>> handlers) {
		int status = BROKEN;
		Path directory = Path.of(arguments[0]).resolveSibling(".").normalize();
		CountDownLatch ended = new CountDownLatch(1);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			awaitApplication(ended);
			HostDirectory.delete(directory);
		}));
		try (FileChannel inUse = HostDirectory.occupy(directory)) {
			if (inUse == null) {
				logger.warn("The file system of {} has no locks: another host may delete the directory", directory);
			}
			HostServer server = new HostServer(connect(Path.of(arguments[0])), new HostedBackends(provider, handlers),
					callThreads(), () -> Runtime.getRuntime().halt(BROKEN));
			server.serve();
			status = ENDED;
		}
		catch (EOFException ex) {
			status = ENDED;
		}
		catch (IOException | RuntimeException ex) {
			logger.error("The kernel host gives up", ex);
		}
		finally {
			ended.countDown();
			exit(status);
		}
	}

	/**
	 * Leaves a signal to the application. A terminal and a service manager send it to all
	 * processes at once, and the application still answers what it has begun. Threads run
	 * on while a hook of the shutdown does.
	 */
	private static void awaitApplication(CountDownLatch ended) {
		try {
			for (boolean first = true; !ended.await(first ? 0 : 1, TimeUnit.SECONDS); first = false) {
				if (first) {
					logger.info("A signal is left to the application, which ends this process");
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Ends the process: it cleans up behind itself, but not for long. */
	private static void exit(int status) {
		Thread watchdog = new Thread(() -> {
			long begin = System.nanoTime();
			while (System.nanoTime() - begin < LONGEST_EXIT_NANOS) {
				LockSupport.parkNanos(LONGEST_EXIT_NANOS);
			}
			Runtime.getRuntime().halt(status);
		}, "ringkernel-host-exit");
		watchdog.setDaemon(true);
		watchdog.start();
		System.exit(status);
	}

	private static SocketChannel connect(Path socket) throws IOException {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
		String secret = input.readLine();
		if (secret == null) {
			throw new EOFException("The application ended before it has named the secret.");
		}
		SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
		PeerUser.check(channel, socket.resolveSibling(".").normalize());
		FrameWriter hello = new FrameWriter().writeInt(HostFrame.VERSION).writeString(secret);
		write(channel, new HostFrame(HostFrame.Kind.HELLO, 0, hello.toBytes()));
		return channel;
	}

	/**
	 * Serves the application until it closes the socket.
	 * @throws EOFException if the application has ended, or has closed the socket
	 * @throws IOException if the socket is broken, or what it carries
	 */
	void serve() throws IOException {
		Thread beats = new Thread(this::beat, "ringkernel-host-beat");
		beats.setDaemon(true);
		beats.start();
		DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(this.channel)));
		while (true) {
			HostFrame frame = HostFrame.read(in);
			if (frame.kind() != HostFrame.Kind.CALL) {
				throw new MalformedFrameException("a %s from the application".formatted(frame.kind()));
			}
			FrameReader body = new FrameReader(frame.body());
			HostOperation operation = body.readEnum(HostOperation.class);
			accept(frame.call(), operation, body);
		}
	}

	private void accept(int call, HostOperation operation, FrameReader body) {
		try {
			this.workers.execute(() -> perform(call, operation, body));
		}
		catch (RejectedExecutionException ex) {
			fail(call, new IllegalStateException("more than %d calls run at once".formatted(MAX_CALLS)));
		}
	}

	private void perform(int call, HostOperation operation, FrameReader body) {
		HostFrame answer;
		try {
			answer = new HostFrame(HostFrame.Kind.DONE, call, this.backends.perform(operation, body).toBytes());
		}
		catch (MalformedFrameException ex) {
			logger.error("The call {} is none of this version", operation, ex);
			this.end.run();
			return;
		}
		// Whatever it is, the application waits for an answer.
		catch (Throwable ex) {
			logger.debug("{} has failed", operation, ex);
			fail(call, ex);
			return;
		}
		send(answer);
	}

	private void fail(int call, Throwable failure) {
		FrameWriter out = new FrameWriter();
		HostFailures.write(out, failure);
		send(new HostFrame(HostFrame.Kind.FAILED, call, out.toBytes()));
	}

	private void beat() {
		while (this.channel.isOpen()) {
			FrameWriter out = new FrameWriter();
			this.backends.writeStatus(out);
			send(new HostFrame(HostFrame.Kind.BEAT, 0, out.toBytes()));
			LockSupport.parkNanos(this, BEAT_NANOS);
		}
	}

	/** If it cannot be sent, the main thread finds out as well, and ends the process. */
	private void send(HostFrame frame) {
		try {
			write(this.channel, frame);
		}
		catch (IOException ex) {
			logger.debug("The application is gone", ex);
		}
	}

	private static void write(SocketChannel channel, HostFrame frame) throws IOException {
		ByteBuffer buffer = frame.toBuffer();
		synchronized (channel) {
			while (buffer.hasRemaining()) {
				channel.write(buffer);
			}
		}
	}

}
