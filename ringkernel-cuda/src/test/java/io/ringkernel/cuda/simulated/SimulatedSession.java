package io.ringkernel.cuda.simulated;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.LapTag;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.RingMirror;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * The device's side of one session: the device loop in Java over the registered memory,
 * which keeps its place in the ring between launches. It has a control block of its own,
 * since the loop commands itself; what its workers tell is copied to the shared one.
 */
final class SimulatedSession {

	private static final int LOOKS_BEFORE_SLEEP = 20;

	private static final int SLOTS = 12;

	private static final int IDENTITY_BYTES = 128;

	private static final int START_POSITION = 88;

	/** Where the tag of a chunk lies in it. */
	private static final int TAG = 12;

	private static final int WORKER_LINES = 384;

	/** Where the line of a worker tells its launch. */
	private static final int LAUNCH = 4;

	private static final int OUT = 0;

	private static final int POLLING = 1;

	private final ByteBuffer pages;

	private final ByteBuffer shared;

	private final ByteBuffer own;

	private final ControlBlock host;

	private final ControlBlock device;

	private final RingLayout ring;

	private final DeviceLoop loop;

	private volatile boolean ended;

	/** Whether a launch ends as soon as it finds nothing. */
	private final boolean impatient;

	/**
	 * Creates a session.
	 * @param order where it takes a ring up that was served before, if it is told
	 * @param before the session that it goes on with in other memory, if there is one
	 */
	SimulatedSession(KernelSpec<?, ?> spec, ByteBuffer pages, int workers, long idleBudgetNanos,
			@Nullable ServingOrder order, @Nullable SimulatedSession before) {
		this.pages = pages;
		this.impatient = idleBudgetNanos == 1;
		MessageBuffer buffer = MessageBuffer.wrap(pages);
		MessageBuffer ownBuffer = MessageBuffer.allocate(ControlBlock.bytes(workers));
		this.shared = buffer.bytes();
		this.own = ownBuffer.bytes();
		this.own.put(0, this.shared, 0, IDENTITY_BYTES);
		this.own.put(WORKER_LINES, this.shared, WORKER_LINES, workers * RingLayout.LINE_BYTES);
		if (before != null) {
			this.own.putLong(START_POSITION, before.nextPosition());
		}
		this.host = new ControlBlock(buffer, workers);
		this.ring = RingLayout.forSlots(ControlBlock.bytes(workers), this.shared.getInt(SLOTS),
				spec.requests().maxSize(), spec.responses().maxSize());
		this.device = new ControlBlock(ownBuffer, workers);
		KernelSpec<?, ?> run = this.impatient ? restingAtOnce(spec) : spec;
		this.loop = new CpuBackend(ExecutionMode.PERSISTENT).load(run,
				region(new KernelRegion(memory(buffer), this.device, this.ring), (before != null) ? null : order));
	}

	private static KernelRegion region(KernelRegion fresh, @Nullable ServingOrder order) {
		return (order == null) ? fresh
				: new KernelRegion(fresh.memory(), fresh.control(), fresh.ring(),
						new RingMirror(fresh.memory().buffer(), fresh.ring(), order.head(), order.unanswered()).ring(),
						fresh.notes(), null);
	}

	/**
	 * Whether it works on some memory.
	 */
	boolean isOver(ByteBuffer pages) {
		return this.pages == pages;
	}

	/**
	 * Where its workers go on: they take positions in their order, and answer each that
	 * they take before they end.
	 */
	private long nextPosition() {
		long next = this.own.getLong(START_POSITION);
		for (int slot = 0; slot < this.ring.slots(); slot++) {
			int tag = this.shared.getInt(this.ring.responses().slotOffset(slot) + TAG);
			if (tag != LapTag.NONE) {
				next = Math.max(next, ((long) (tag >>> 1) << this.ring.slotsShift()) + slot + 1);
			}
		}
		return next;
	}

	private static <I extends Record, O extends Record> KernelSpec<I, O> restingAtOnce(KernelSpec<I, O> spec) {
		return new KernelSpec<>(spec.id(), spec.requests(), spec.responses(), spec.handler(), spec.image(),
				spec.options().toBuilder().idleBudget(Duration.ZERO).build());
	}

	private static RingMemory memory(MessageBuffer buffer) {
		return new RingMemory() {

			@Override
			public MessageBuffer buffer() {
				return buffer;
			}

			@Override
			public void close() {
			}

		};
	}

	/**
	 * A launch of the kernel.
	 * @param telling whether its workers tell that they have ended
	 * @param timeLimitNanos how long it takes requests, about, before it ends; 0 for for
	 * ever
	 * @param idleBudgetNanos how long it finds nothing before it ends; 0 for for ever
	 */
	Runnable kernel(BooleanSupplier faulted, BooleanSupplier telling, long timeLimitNanos, long idleBudgetNanos) {
		return () -> run(faulted, telling, new Bounds(timeLimitNanos, idleBudgetNanos));
	}

	/**
	 * A launch of a kernel that neither sees the ring nor is seen.
	 */
	Runnable muteKernel() {
		return () -> {
			while (this.host.command() == Command.RUN) {
				LockSupport.parkNanos(100_000);
			}
		};
	}

	private void run(BooleanSupplier faulted, BooleanSupplier telling, Bounds bounds) {
		int launch = (int) this.host.launches();
		if (this.host.command() == Command.RUN && !this.ended) {
			for (int worker = 0; worker < this.device.workers(); worker++) {
				this.device.beat(worker);
			}
			this.loop.start();
			int looks = 0;
			while (this.host.command() == Command.RUN && !this.ended && !faulted.getAsBoolean()
					&& !bounds.areReached()) {
				this.loop.doorbell();
				this.loop.nudge();
				tell(launch, false);
				pause(looks++);
			}
			while (!hasStopped() && !faulted.getAsBoolean()) {
				tell(launch, false);
			}
			if (!faulted.getAsBoolean() && !this.ended && telling.getAsBoolean()) {
				tell(launch, true);
			}
		}
		else if (!this.ended) {
			tell(launch, true);
		}
	}

	/**
	 * Tells that all workers of the latest launch have ended.
	 */
	static void tellOfEnd(ByteBuffer pages, int workers) {
		MessageBuffer buffer = MessageBuffer.wrap(pages);
		int launch = (int) new ControlBlock(buffer, workers).launches();
		VarHandle.fullFence();
		for (int worker = 0; worker < workers; worker++) {
			buffer.bytes().putLong(WORKER_LINES + worker * RingLayout.LINE_BYTES, (long) launch << Integer.SIZE | OUT);
		}
	}

	/**
	 * A launch of which only the first workers have found a place: they come up and wait
	 * for the command to stop.
	 */
	void runPart(int workers, BooleanSupplier faulted) {
		int launch = (int) this.host.launches();
		while (this.host.command() == Command.RUN && !faulted.getAsBoolean()) {
			for (int worker = 0; worker < workers; worker++) {
				this.shared.putInt(WORKER_LINES + worker * RingLayout.LINE_BYTES, POLLING);
				this.shared.putInt(WORKER_LINES + worker * RingLayout.LINE_BYTES + LAUNCH, launch);
			}
			LockSupport.parkNanos(100_000);
		}
	}

	private void pause(int looks) {
		if (this.impatient && looks < LOOKS_BEFORE_SLEEP) {
			Thread.yield();
		}
		else {
			LockSupport.parkNanos(20_000);
		}
	}

	/**
	 * When a launch ends by itself.
	 */
	private final class Bounds {

		private final long begin = System.nanoTime();

		private final long timeLimitNanos;

		private final long idleBudgetNanos;

		private long processed = -1;

		private long idleSince;

		Bounds(long timeLimitNanos, long idleBudgetNanos) {
			this.timeLimitNanos = (timeLimitNanos == 0) ? Long.MAX_VALUE : timeLimitNanos;
			this.idleBudgetNanos = (idleBudgetNanos == 0) ? Long.MAX_VALUE : idleBudgetNanos;
		}

		boolean areReached() {
			if (SimulatedSession.this.impatient && SimulatedSession.this.loop.activeWorkers() == 0) {
				return true;
			}
			long now = System.nanoTime();
			long count = processed();
			if (count != this.processed || SimulatedSession.this.impatient || isHandling()) {
				this.processed = count;
				this.idleSince = now;
			}
			return now - this.begin >= this.timeLimitNanos || now - this.idleSince >= this.idleBudgetNanos;
		}

		private long processed() {
			return SimulatedSession.this.device.processed();
		}

		private boolean isHandling() {
			ControlBlock block = SimulatedSession.this.device;
			return IntStream.range(0, block.workers())
				.anyMatch((worker) -> block.workerState(worker) == WorkerState.HANDLING);
		}

	}

	/**
	 * Ends the kernel after the requests at hand, and every later launch at once, as a
	 * fault would: its workers do not tell of their end.
	 */
	void end() {
		this.ended = true;
	}

	/**
	 * Ends the threads of its workers, once its memory is gone.
	 */
	void close() {
		this.loop.close();
	}

	private boolean hasStopped() {
		try {
			return this.loop.stop(Duration.ofMillis(1));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("nobody interrupts a simulated kernel", ex);
		}
	}

	/**
	 * Tells what its workers do. Java threads rest while a launch goes on; of a device,
	 * all are up until it ends.
	 */
	private void tell(int launch, boolean over) {
		byte[] lines = new byte[this.host.workers() * RingLayout.LINE_BYTES];
		this.own.get(WORKER_LINES, lines);
		ByteBuffer told = ByteBuffer.wrap(lines).order(ByteOrder.LITTLE_ENDIAN);
		for (int line = 0; line < lines.length; line += RingLayout.LINE_BYTES) {
			told.putInt(line, over ? OUT : Math.max(POLLING, told.getInt(line)));
			told.putInt(line + LAUNCH, launch);
		}
		this.shared.put(WORKER_LINES, lines);
	}

}
