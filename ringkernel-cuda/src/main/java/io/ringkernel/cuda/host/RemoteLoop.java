package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.KernelStuckException;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that runs in a host. What a caller asks for while messages go to and fro is
 * known here: nothing but start, stop and close passes the socket.
 * <p>
 * <strong>When the host is lost</strong>, the loop fails with a
 * {@link DeviceLostException} as soon as the host is reaped, and not before: until then
 * its device may still write to the ring.
 */
final class RemoteLoop implements DeviceLoop {

	private static final Logger logger = LoggerFactory.getLogger(RemoteLoop.class);

	/** A load or a start waits for others, and then takes its time in the driver. */
	static final Duration LOADING = Duration.ofSeconds(150);

	/** What a call takes besides what it waits for in the host. */
	private static final Duration MARGIN = Duration.ofSeconds(10);

	private final String kernelId;

	private final HostProcess host;

	private final ControlBlock control;

	private final int number;

	private final long hertz;

	private final Map<String, Object> parameters;

	private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

	private volatile boolean running;

	/** How many workers had not ended when it was closed. */
	private volatile int left;

	/**
	 * Creates the loop from the answer to its load.
	 * @param control the control block that its workers write to
	 */
	RemoteLoop(String kernelId, HostProcess host, ControlBlock control, FrameReader loaded)
			throws MalformedFrameException {
		this.kernelId = kernelId;
		this.host = host;
		this.control = control;
		this.number = loaded.readInt();
		this.hertz = loaded.readLong();
		this.parameters = Map.copyOf(loaded.readValues());
		loaded.end();
		host.name(this.number, kernelId);
	}

	HostProcess host() {
		return this.host;
	}

	int number() {
		return this.number;
	}

	@Override
	public void start() {
		this.running = true;
		this.host.callUninterrupted(this.kernelId, Operation.START, (out) -> out.writeInt(this.number), LOADING);
	}

	/** A kernel polls; for what does not, the host looks at the ring. */
	@Override
	public void doorbell() {
	}

	@Override
	public void nudge() {
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		if (this.host.lost() != null) {
			return true;
		}
		try {
			FrameReader answer = this.host.call(this.kernelId, Operation.STOP,
					(out) -> out.writeInt(this.number).writeDuration(timeout), timeout.plus(MARGIN));
			boolean stopped = answer.readBoolean();
			answer.end();
			this.running = this.running && !stopped;
			return stopped;
		}
		catch (MalformedFrameException ex) {
			this.host.malformed(ex);
		}
		catch (DeviceLostException ex) {
			logger.debug("Ring kernel '{}' went with its host", this.kernelId, ex);
		}
		return this.host.awaitEnd(timeout);
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
			return this.host.isUnkillable() ? new KernelStuckException(this.kernelId, "end", HostProcess.REAP) : null;
		}
		LoopStatus status = this.host.loop(this.number);
		RuntimeException reported = (status != null) ? status.failure() : null;
		return (reported instanceof DeviceLostException) ? null : reported;
	}

	@Override
	public int activeWorkers() {
		if (this.host.lost() != null) {
			return 0;
		}
		return this.running ? workersNotOut() : this.left;
	}

	private int workersNotOut() {
		int active = 0;
		for (int worker = 0; worker < this.control.workers(); worker++) {
			if (this.control.workerState(worker) != WorkerState.OUT) {
				active++;
			}
		}
		return active;
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
	public void close() {
		if (this.host.isEnding()) {
			return;
		}
		try {
			FrameReader answer = this.host.callUninterrupted(this.kernelId, Operation.CLOSE,
					(out) -> out.writeInt(this.number).writeBoolean(this.control.isHandedOver()), MARGIN);
			this.left = answer.readInt();
			this.running = false;
			answer.end();
		}
		catch (MalformedFrameException ex) {
			this.host.malformed(ex);
		}
		catch (DeviceLostException ex) {
			logger.debug("Ring kernel '{}' went with its host", this.kernelId, ex);
		}
	}

}
