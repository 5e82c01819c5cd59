package io.ringkernel.cuda.host.remote;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.ringkernel.Durations;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.cuda.host.remote.HostChannel.Received;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostDirectory;
import io.ringkernel.cuda.host.wire.HostFailures;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.LoopStatus;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One kernel host, from its start to its end. Its end is noticed by a broken socket, by
 * the lack of beats, or by a call that is not answered in time, whichever is first. A
 * host that shows one of these is killed, and so is one that reports its device lost or
 * has a request that does not end.
 * <p>
 * <strong>Lost means reaped.</strong> {@link #lost} says why only once the system has
 * reported the end of the process. The device has then been taken from it, so nothing
 * writes to the memory any more that was shared with it, and another loop may take over.
 * Each {@link RemoteLoop} first notes what it may have begun, as
 * {@link io.ringkernel.ring.order.TicketOrder} tells, and then fails.
 *
 * @since 0.2.0
 */
public final class HostProcess implements Received {

	private static final Logger logger = LoggerFactory.getLogger(HostProcess.class);

	public static final String REMEDY = "RingKernel starts another one, unless it has ended too often; relaunch the kernel then.";

	/** A process that was killed is gone within a tenth of a second. */
	static final Duration REAP = Duration.ofSeconds(10);

	private static final Duration FAREWELL = Duration.ofSeconds(2);

	/** A load or a start waits for a place, and then takes its time in the driver. */
	public static final Duration BEGINNING = Duration.ofSeconds(150);

	private final Process process;

	private final HostChannel channel;

	private final Path directory;

	private final Duration beginning;

	private final Consumer<HostProcess> onLost;

	private final CallsInFlight calls;

	private final Map<Integer, RemoteLoop> served = new ConcurrentHashMap<>();

	private final Suspects suspects = new Suspects();

	/** Why the host has ended or is being ended. */
	private final AtomicReference<@Nullable String> reason = new AtomicReference<>();

	private volatile Map<Integer, LoopStatus> loops = Map.of();

	private volatile @Nullable String lost;

	private volatile boolean unkillable;

	private volatile boolean closed;

	/**
	 * Begins to supervise a host that has connected.
	 * @param directory its own directory, which is deleted when it has ended
	 * @param beginning how long a load or a start may take, besides what it waits for
	 * @param onLost what is told once the host is lost
	 */
	public HostProcess(Process process, HostChannel channel, Path directory, Duration beginning,
			Consumer<HostProcess> onLost) {
		this.beginning = beginning;
		this.process = process;
		this.directory = directory;
		this.channel = channel;
		this.calls = new CallsInFlight(channel);
		this.onLost = onLost;
		Thread reader = new Thread(() -> end(channel.receive(this)), "ringkernel-host-" + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	public long pid() {
		return this.process.pid();
	}

	/** Why the host is lost; {@code null} unless the process is known to have ended. */
	public @Nullable String lost() {
		return this.lost;
	}

	/** Whether the host was killed, and the system has not reported its end in time. */
	boolean isUnkillable() {
		return this.unkillable;
	}

	public boolean isEnding() {
		return this.reason.get() != null;
	}

	/** Why the host is lost or is being ended: a clause; {@code null} while it runs. */
	public @Nullable String ending() {
		String known = this.lost;
		return (known != null) ? known : this.reason.get();
	}

	/** How a loop is, as the latest beat has told; {@code null} if none has yet. */
	@Nullable LoopStatus loop(int number) {
		return this.loops.get(number);
	}

	/** Adds a loop that runs in the host: it is told when the host has ended. */
	synchronized void serve(RemoteLoop loop) {
		this.served.put(loop.number(), loop);
		if (this.lost != null) {
			loop.hostEnded();
		}
	}

	void forget(RemoteLoop loop) {
		this.served.remove(loop.number());
	}

	/** The kernels that may have ended the host, which has ended. */
	public Set<String> suspects() {
		return this.suspects.of(this.process.exitValue(), this.served.values().stream());
	}

	private String kernelOf(int loop) {
		RemoteLoop known = this.served.get(loop);
		return (known != null) ? known.kernelId() : "loop " + loop;
	}

	/**
	 * Has the host do something, and waits for its answer.
	 * @param arguments the body of the call behind the operation
	 * @param reader reads the answer, to its end
	 * @throws DeviceLostException if the host has ended, has not answered in time, or has
	 * sent what is no answer
	 * @throws RuntimeException what the host has failed with
	 */
	<T> T call(String kernelId, HostOperation operation, Consumer<FrameWriter> arguments, Duration limit,
			Answer<T> reader) throws InterruptedException {
		return call(kernelId, operation, arguments, limit, reader, CallsInFlight::await);
	}

	/**
	 * The same on behalf of an operation that an interrupt does not end: it is kept, and
	 * what the host has done is known.
	 */
	public <T> T callUninterrupted(String kernelId, HostOperation operation, Consumer<FrameWriter> arguments,
			Duration limit, Answer<T> reader) {
		return call(kernelId, operation, arguments, limit, reader, CallsInFlight::awaitUninterrupted);
	}

	/** The same for what goes with the host: nothing is left to do if that has ended. */
	public void callUnlessEnded(String kernelId, HostOperation operation, Consumer<FrameWriter> arguments,
			Duration limit) {
		try {
			if (!isEnding()) {
				callUninterrupted(kernelId, operation, arguments, limit, Answer.DONE);
			}
		}
		catch (DeviceLostException ex) {
			logger.debug("The host has ended at the call {}", operation, ex);
		}
	}

	private <T, X extends Exception> T call(String kernelId, HostOperation operation, Consumer<FrameWriter> arguments,
			Duration limit, Answer<T> reader, CallsInFlight.Waiting<X> waiting) throws X {
		if (isEnding()) {
			throw lost(kernelId);
		}
		try {
			FrameReader answer = this.calls.make(operation, arguments, limit, waiting);
			T found = reader.read(answer);
			answer.end();
			return found;
		}
		catch (MalformedFrameException ex) {
			end("it has sent what is no answer: " + ex.getMessage());
		}
		catch (IOException ex) {
			end("its socket is broken: " + ex.getMessage());
		}
		catch (TimeoutException ex) {
			this.suspects.late(kernelId);
			end("it has not answered the call %s within %s".formatted(operation, Durations.format(limit)));
		}
		catch (CallsInFlight.HostedFailure ex) {
			throw failure(kernelId, ex.body());
		}
		throw lost(kernelId);
	}

	/**
	 * The same for an operation that loads or starts a kernel. The kernel is suspect if
	 * the host does not survive it.
	 * @param waiting how long it may wait for other kernels before
	 * @throws DeviceLostException if the host has ended, or its device is lost
	 */
	public <T> T begin(String kernelId, HostOperation operation, Duration waiting, Consumer<FrameWriter> arguments,
			Answer<T> reader) {
		if (isEnding()) {
			throw lost(kernelId);
		}
		return this.suspects.during(kernelId,
				() -> callUninterrupted(kernelId, operation, arguments, this.beginning.plus(waiting), reader));
	}

	/** What the body of an answer says, if there is one. */
	private RuntimeException failure(String kernelId, @Nullable FrameReader body) {
		if (body != null) {
			try {
				RuntimeException failure = HostFailures.read(body, kernelId);
				body.end();
				if (failure instanceof DeviceLostException lost) {
					this.suspects.deviceLost();
					end(lost.reason());
				}
				return failure;
			}
			catch (MalformedFrameException ex) {
				end("it has sent what is no answer: " + ex.getMessage());
			}
		}
		return lost(kernelId);
	}

	private DeviceLostException lost(String kernelId) {
		return new DeviceLostException(kernelId, "the kernel host has ended: " + this.reason.get(), REMEDY);
	}

	@Override
	public void frame(HostFrame frame) throws MalformedFrameException {
		switch (frame.kind()) {
			case BEAT -> beat(new FrameReader(frame.body()));
			case DONE -> this.calls.done(frame);
			case FAILED -> this.calls.failed(frame);
			default -> throw new MalformedFrameException("a %s from the host".formatted(frame.kind()));
		}
	}

	private void beat(FrameReader body) throws MalformedFrameException {
		String device = body.readOptional();
		Map<Integer, LoopStatus> latest = LoopStatus.readAll(body, this::kernelOf);
		body.end();
		this.loops = latest;
		latest.values()
			.stream()
			.map(LoopStatus::failure)
			.filter(DeviceLostException.class::isInstance)
			.findAny()
			.ifPresent((failure) -> loseDevice(((DeviceLostException) failure).reason()));
		if (device != null) {
			loseDevice(device);
		}
		endIfStuck();
	}

	/** Nothing else ends a kernel that does not end by itself. */
	private void endIfStuck() {
		long now = System.nanoTime();
		for (RemoteLoop loop : this.served.values()) {
			String why = loop.stuck(now);
			if (why != null && !isEnding()) {
				this.suspects.stuck(loop.kernelId());
				kill(why);
			}
		}
	}

	/** Only another process gets the device back. */
	private void loseDevice(String why) {
		this.suspects.deviceLost();
		kill(why);
	}

	/** Ends the host, whose end is noticed by the thread that reads its socket. */
	void kill(String why) {
		if (this.reason.compareAndSet(null, why)) {
			this.process.destroyForcibly();
		}
	}

	/** Ends the host and waits until it has ended. */
	private void end(String why) {
		this.reason.compareAndSet(null, why);
		this.process.destroyForcibly();
		this.channel.close();
		if (!awaitLoss(REAP)) {
			this.unkillable = true;
			logger.error("The kernel host {} was killed and has not ended within {}", pid(), Durations.format(REAP));
		}
		this.calls.end();
	}

	private synchronized void settle() {
		HostDirectory.delete(this.directory);
		if (this.lost == null) {
			// Whoever sees the loss finds what was begun.
			this.served.values().forEach(RemoteLoop::hostEnded);
			this.lost = "process %d, exit status %d: %s".formatted(pid(), this.process.exitValue(), this.reason.get());
			this.onLost.accept(this);
		}
	}

	/**
	 * Waits until a host that is being ended has ended, and its loops have noted that.
	 */
	boolean awaitLoss(Duration limit) {
		boolean ended = awaitEnd(limit);
		if (ended) {
			settle();
		}
		return ended;
	}

	/** Has the host end by itself: it does when its socket is closed. */
	public void close() {
		// A host that was ending already has not ended because it was closed.
		this.closed = this.reason.compareAndSet(null, "it was closed");
		this.channel.shutdown();
		awaitEnd(FAREWELL);
		end("it was closed");
	}

	public boolean wasClosed() {
		return this.closed;
	}

	private boolean awaitEnd(Duration limit) {
		boolean interrupted = Thread.interrupted();
		long deadline = System.nanoTime() + limit.toNanos();
		try {
			while (true) {
				try {
					return this.process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
