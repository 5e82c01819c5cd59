package io.ringkernel.cuda;

import java.nio.ByteBuffer;
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
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.RingLayout;

/**
 * The device's side of one session: the device loop in Java over the registered memory,
 * which keeps its place in the ring between launches. It has a control block of its own,
 * since the loop commands itself; what its workers tell is copied to the shared one.
 */
final class SimulatedSession {

	private static final int SLOTS = 12;

	private static final int IDENTITY_BYTES = 128;

	private static final int WORKER_LINES = 384;

	private final ByteBuffer shared;

	private final ByteBuffer own;

	private final ControlBlock host;

	private final ControlBlock device;

	private final DeviceLoop loop;

	SimulatedSession(KernelSpec<?, ?> spec, ByteBuffer pages, int workers) {
		MessageBuffer buffer = MessageBuffer.wrap(pages);
		MessageBuffer ownBuffer = MessageBuffer.allocate(ControlBlock.bytes(workers));
		this.shared = buffer.bytes();
		this.own = ownBuffer.bytes();
		this.own.put(0, this.shared, 0, IDENTITY_BYTES);
		this.host = new ControlBlock(buffer, workers);
		RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(workers), this.shared.getInt(SLOTS),
				spec.requests().maxSize(), spec.responses().maxSize());
		this.device = new ControlBlock(ownBuffer, workers);
		this.loop = new CpuBackend(ExecutionMode.PERSISTENT).load(spec,
				new KernelRegion(memory(buffer), this.device, ring));
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
	 * Launches the kernel.
	 * @param iterationLimit how many requests it answers, about, before it ends; 0 for
	 * any number
	 * @param idleBudgetNanos how long it finds nothing before it ends; 0 for for ever
	 */
	Thread launch(BooleanSupplier faulted, long iterationLimit, long idleBudgetNanos) {
		Thread kernel = new Thread(() -> run(faulted, new Bounds(iterationLimit, idleBudgetNanos)), "simulated-kernel");
		kernel.setDaemon(true);
		kernel.start();
		return kernel;
	}

	private void run(BooleanSupplier faulted, Bounds bounds) {
		if (this.host.command() == Command.RUN) {
			this.loop.start();
			while (this.host.command() == Command.RUN && !faulted.getAsBoolean() && !bounds.areReached()) {
				this.loop.doorbell();
				this.loop.nudge();
				tell();
				LockSupport.parkNanos(20_000);
			}
			while (!hasStopped() && !faulted.getAsBoolean()) {
				tell();
			}
			tell();
		}
	}

	/**
	 * When a launch ends by itself.
	 */
	private final class Bounds {

		private final long lastProcessed;

		private final long idleBudgetNanos;

		private long processed = -1;

		private long idleSince;

		Bounds(long iterationLimit, long idleBudgetNanos) {
			this.lastProcessed = (iterationLimit == 0) ? Long.MAX_VALUE : processed() + iterationLimit;
			this.idleBudgetNanos = (idleBudgetNanos == 0) ? Long.MAX_VALUE : idleBudgetNanos;
		}

		boolean areReached() {
			long now = System.nanoTime();
			long count = processed();
			if (count != this.processed || isHandling()) {
				this.processed = count;
				this.idleSince = now;
			}
			return count >= this.lastProcessed || now - this.idleSince >= this.idleBudgetNanos;
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

	private boolean hasStopped() {
		try {
			return this.loop.stop(Duration.ofMillis(1));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("nobody interrupts a simulated kernel", ex);
		}
	}

	private void tell() {
		this.shared.put(WORKER_LINES, this.own, WORKER_LINES, this.host.workers() * RingLayout.LINE_BYTES);
	}

}
