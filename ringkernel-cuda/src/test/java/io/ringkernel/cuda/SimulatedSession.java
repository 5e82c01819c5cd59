package io.ringkernel.cuda;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.RingLayout;

/**
 * The device's side of one session: the device loop in Java over the registered memory,
 * which keeps its place in the ring between launches.
 */
final class SimulatedSession {

	private static final int SLOTS = 12;

	private final ControlBlock control;

	private final DeviceLoop loop;

	SimulatedSession(KernelSpec<?, ?> spec, ByteBuffer pages, int workers) {
		MessageBuffer buffer = MessageBuffer.wrap(pages);
		this.control = new ControlBlock(buffer, workers);
		RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(workers), buffer.bytes().getInt(SLOTS),
				spec.requests().maxSize(), spec.responses().maxSize());
		this.loop = new CpuBackend(ExecutionMode.PERSISTENT).load(spec,
				new KernelRegion(memory(buffer), this.control, ring));
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

	Thread launch(BooleanSupplier faulted) {
		Thread kernel = new Thread(() -> run(faulted), "simulated-kernel");
		kernel.setDaemon(true);
		kernel.start();
		return kernel;
	}

	private void run(BooleanSupplier faulted) {
		while (this.control.command() == Command.RUN && !faulted.getAsBoolean()) {
			this.loop.doorbell();
			this.loop.nudge();
			LockSupport.parkNanos(20_000);
		}
		while (this.loop.activeWorkers() > 0 && !faulted.getAsBoolean()) {
			LockSupport.parkNanos(20_000);
		}
	}

}
