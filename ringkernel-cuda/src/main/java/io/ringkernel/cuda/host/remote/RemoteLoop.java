package io.ringkernel.cuda.host.remote;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.ringkernel.Durations;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.compiler.StatePlaces;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.LoopStatus;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.image.CompiledState;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.order.ServingOrder;
import io.ringkernel.ring.order.TicketOrder;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that runs in a host. What a caller asks for while messages go to and fro is
 * known here: nothing but start, stop, close and the state passes the socket.
 * <p>
 * <strong>When the host is lost</strong>, the loop fails with a
 * {@link DeviceLostException} as soon as the host is reaped, and not before: until then
 * its device may still write to the ring.
 *
 * @since 0.2.0
 */
public final class RemoteLoop implements DeviceLoop {

	private static final Logger logger = LoggerFactory.getLogger(RemoteLoop.class);

	/** What a call takes besides what it waits for in the host. */
	static final Duration MARGIN = Duration.ofSeconds(10);

	private final String kernelId;

	private final HostProcess host;

	private final ControlBlock control;

	private final HostRing ring;

	/** What it serves, and where it began: there, or in the loop that it goes on with. */
	private final TicketOrder tickets;

	private final boolean bridged;

	private final int number;

	private final long hertz;

	private final Map<String, Object> parameters;

	private final @Nullable StatePlaces places;

	private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

	private final @Nullable Duration longestHandling;

	private final @Nullable StuckWatch watch;

	/**
	 * Whether it may have begun a request: from before it is asked to start until it has
	 * answered all that it had begun.
	 */
	private volatile boolean running;

	private final int workersPerGroup;

	/** What it may have begun without answering it when its host had ended. */
	private volatile long[] begun = {};

	/** How many workers had not ended when it was closed. */
	private volatile int left;

	/**
	 * Creates the loop from the answer to its load.
	 * @param before the loop whose places its workers keep; {@code null} if they begin
	 * anew
	 * @param order the order in which they then serve the ring
	 * @param bridged whether its answers lie on the device until a bridge has fetched
	 * them
	 * @param places where the fields of its handler lie in device memory; {@code null} if
	 * that is for the host to know
	 * @param longestHandling how long a request may be handled; {@code null} for ever
	 */
	public RemoteLoop(String kernelId, HostProcess host, KernelRegion region, @Nullable RemoteLoop before,
			ServingOrder order, boolean bridged, @Nullable StatePlaces places, @Nullable Duration longestHandling,
			FrameReader loaded) throws MalformedFrameException {
		this.kernelId = kernelId;
		this.host = host;
		this.control = region.control();
		this.ring = region.host();
		this.bridged = bridged;
		this.places = places;
		this.number = loaded.readInt();
		this.hertz = loaded.readLong();
		this.control.serveBy(atMost(this.control.lines(), loaded.readInt(), "workers"));
		this.workersPerGroup = atMost(this.control.workers(), loaded.readInt(), "workers in a group");
		this.tickets = (before != null) ? before.tickets
				: new TicketOrder(order, region.control().workers(), this.workersPerGroup);
		this.parameters = Map.copyOf(loaded.readValues());
		loaded.end();
		this.longestHandling = longestHandling;
		this.watch = (longestHandling != null) ? new StuckWatch(longestHandling) : null;
		host.serve(this);
	}

	private static int atMost(int most, int stated, String what) throws MalformedFrameException {
		if (stated < 1 || stated > most) {
			throw new MalformedFrameException("%d %s, where there are at most %d".formatted(stated, what, most));
		}
		return stated;
	}

	String kernelId() {
		return this.kernelId;
	}

	public HostProcess host() {
		return this.host;
	}

	public int number() {
		return this.number;
	}

	@Override
	public void start() {
		this.running = true;
		try {
			this.host.begin(this.kernelId, HostOperation.START, Duration.ZERO, (out) -> out.writeInt(this.number),
					Answer.DONE);
		}
		catch (DeviceLostException ex) {
			// What goes on in its place must know what it has begun.
			if (!this.host.awaitLoss(HostProcess.REAP)) {
				throw unended();
			}
			throw ex;
		}
	}

	/** A kernel polls; for what does not, the host looks at the ring. */
	@Override
	public void doorbell() {
	}

	/** The host nudges its loop by itself whenever its look at the ring finds nothing. */
	@Override
	public void nudge() {
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		if (this.host.lost() != null) {
			return true;
		}
		try {
			boolean stopped = this.host.call(this.kernelId, HostOperation.STOP,
					(out) -> out.writeInt(this.number).writeDuration(timeout), timeout.plus(MARGIN),
					FrameReader::readBoolean);
			this.running = this.running && !stopped;
			return stopped;
		}
		catch (DeviceLostException ex) {
			logger.debug("Ring kernel '{}' went with its host", this.kernelId, ex);
		}
		return this.host.awaitLoss(timeout);
	}

	/**
	 * Notes what it may have begun, since its host has ended just now. A loop that was
	 * not started, or has stopped, leaves what is queued to the next one.
	 */
	void hostEnded() {
		if (this.running && !this.control.isHandedOver()) {
			this.begun = this.bridged ? TicketOrder.published(this.ring) : this.tickets.begun(this.ring);
		}
	}

	/**
	 * Which request a worker does not get done with, and for how long: a clause. Called
	 * by the thread that receives what the host sends. A loop that waits for its place on
	 * the device, or has ended, handles nothing. {@code null} if all get done.
	 */
	@Nullable String stuck(long now) {
		if (this.watch == null || this.longestHandling == null) {
			return null;
		}
		boolean handles = this.running && !this.control.isHandedOver() && workersNotOut() > 0 && failure() == null;
		OptionalLong overdue = this.watch.overdue(handles ? this.tickets.handling(this.ring) : new long[0], now);
		return overdue.isEmpty() ? null : "ring kernel '%s' has been handling request %d for %s and does not end"
			.formatted(this.kernelId, overdue.getAsLong(), Durations.format(this.longestHandling));
	}

	@Override
	public long[] begun() {
		return this.begun.clone();
	}

	@Override
	public int workersPerGroup() {
		return this.workersPerGroup;
	}

	@Override
	public @Nullable Throwable failure() {
		RuntimeException known = this.failure.get();
		if (known == null) {
			this.failure.compareAndSet(null, found());
			known = this.failure.get();
		}
		return known;
	}

	private @Nullable RuntimeException found() {
		String lost = this.host.lost();
		if (lost != null) {
			return new DeviceLostException(this.kernelId, "the kernel host has ended: " + lost, HostProcess.REMEDY);
		}
		if (this.host.isEnding()) {
			return this.host.isUnkillable() ? unended() : null;
		}
		LoopStatus status = this.host.loop(this.number);
		RuntimeException reported = (status != null) ? status.failure() : null;
		return (reported instanceof DeviceLostException) ? null : reported;
	}

	private KernelStuckException unended() {
		return new KernelStuckException(this.kernelId, "end", HostProcess.REAP);
	}

	@Override
	public int activeWorkers() {
		if (this.host.lost() != null) {
			return 0;
		}
		return (this.running && this.left == 0) ? workersNotOut() : this.left;
	}

	/** Over a bridge, the lines of the workers arrive when the kernel has ended. */
	private int workersNotOut() {
		if (this.bridged) {
			LoopStatus status = this.host.loop(this.number);
			return (status != null) ? status.activeWorkers() : 0;
		}
		return (int) IntStream.range(0, this.control.workers())
			.filter((worker) -> this.control.workerState(worker) != WorkerState.OUT)
			.count();
	}

	@Override
	public long deviceMemoryBytes() {
		LoopStatus status = this.host.loop(this.number);
		return (status != null && this.host.lost() == null) ? status.deviceMemoryBytes() : 0;
	}

	@Override
	public Map<String, Object> launchParameters() {
		return this.parameters;
	}

	@Override
	public long clockHertz() {
		return this.hertz;
	}

	@Override
	public KernelMemory memory(KernelSpec<?, ?> kernel) {
		return CompiledState.of(kernel, this.places, new RemoteState(this.kernelId, this.host, this.number));
	}

	@Override
	public void close() {
		if (this.host.isEnding()) {
			return;
		}
		try {
			this.left = this.host.callUninterrupted(this.kernelId, HostOperation.CLOSE,
					(out) -> out.writeInt(this.number).writeBoolean(this.control.isHandedOver()), MARGIN,
					FrameReader::readInt);
			// A handler of it that never returns still ends the host.
			if (this.left == 0) {
				this.running = false;
				this.host.forget(this);
			}
		}
		catch (DeviceLostException ex) {
			logger.debug("Ring kernel '{}' went with its host", this.kernelId, ex);
		}
	}

}
