package io.ringkernel.cuda.transport;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.memory.DeviceResources;
import io.ringkernel.exception.KernelLaunchException;

/**
 * The region of a session in device memory, and the bridge between it and the host's.
 * <p>
 * Where host memory can be pinned, the device makes the copies while the host goes on.
 * Where it cannot, the driver takes the bytes itself before it returns: such a copy waits
 * for what is in front of it on its stream, so it is never put behind a kernel.
 * <p>
 * <strong>No copy overtakes an earlier one</strong> that would take back what it brings:
 * there are copies on two streams, and the command to stop, beside the kernel, may follow
 * the command to run, in front of it, at once. So a kernel is put on its stream when the
 * command in front of it has arrived. That is rare: the device keeps the command to run
 * from launch to launch. Where memory is not pinned, this holds for all that is copied in
 * front: such a copy brings what the image held when it was put on its stream.
 */
final class DeviceRegion {

	/** Far more than the largest region takes, at the slowest. */
	private static final Duration LONGEST_COPY = Duration.ofSeconds(5);

	private final DeviceResources resources;

	private final CudaContext context;

	private final DevicePointer memory;

	private final CudaRingMemory image;

	/** The kernel's. */
	private final CudaStream stream;

	/** For copies beside the kernel. */
	private final CudaStream beside;

	private final boolean pinned;

	private final CopyQueue queue;

	private final RegionBridge bridge;

	private final ResponseBridge responses;

	private final ControlBlock control;

	/**
	 * Whether no kernel is on its stream that was not seen to end. Used on the driver's
	 * thread.
	 */
	private boolean kernelIsOut = true;

	/**
	 * Whether the workers may have something to tell that was not shown. Written on the
	 * driver's thread.
	 */
	private volatile boolean workersStale;

	private DeviceRegion(DeviceResources resources, KernelRegion region, CudaRingMemory host, CudaRingMemory image,
			DevicePointer memory, CudaStream stream) {
		this.resources = resources;
		this.context = resources.context();
		this.memory = memory;
		this.image = image;
		this.stream = stream;
		this.pinned = resources.registrations().pin(host.pages()) && resources.registrations().pin(image.pages());
		this.queue = new CopyQueue(this.context, memory, this.pinned);
		this.control = region.control();
		this.bridge = new RegionBridge(host.buffer(), image.buffer(), region.host(), region.control().startPosition(),
				region.control().workers(), this.queue);
		this.responses = this.bridge.responses();
		this.beside = this.context.createStream();
		// Sent in front of the first launch.
		this.bridge.identify();
	}

	/**
	 * Makes the region on the device. Only called while no kernel runs.
	 * @throws KernelLaunchException if there is too little direct memory for its image
	 */
	static DeviceRegion open(TransportProvider.Session session) {
		DeviceResources resources = session.resources();
		KernelRegion region = session.region();
		CudaRingMemory image = CudaRingMemory.allocate(resources, session.id(), RegionBridge.imageBytes(region.ring()));
		DevicePointer memory = resources.context().allocate(region.ring().endOffset());
		try {
			resources.context().zero(memory, region.ring().endOffset(), session.stream());
			return new DeviceRegion(resources, region, session.ring(), image, memory, session.stream());
		}
		catch (RuntimeException ex) {
			image.close();
			resources.freeLater(memory);
			throw ex;
		}
	}

	DevicePointer memory() {
		return this.memory;
	}

	/**
	 * Does something on the driver's thread, as everything is done that touches the
	 * bridge: where a call has not returned in time, nothing else comes between.
	 */
	<T> T visit(Supplier<T> calls) {
		return this.context.perform("a copy", calls);
	}

	/**
	 * Puts a kernel on its stream, behind copies of what is new. Called on the driver's
	 * thread, as what follows is.
	 */
	void enqueue(Runnable kernel) {
		boolean command = this.bridge.commandToDevice();
		this.bridge.toDevice();
		List<Consumer<CudaStream>> before = this.queue.take();
		this.workersStale = true;
		this.kernelIsOut = false;
		before.forEach((copy) -> copy.accept(this.stream));
		if (command || !(this.pinned || before.isEmpty())) {
			await(this.stream);
		}
		kernel.run();
	}

	/**
	 * Notes that the kernel has ended, and fetches what it has answered: what its workers
	 * have told by now is the last of it.
	 */
	void kernelEnded() {
		this.kernelIsOut = true;
		this.workersStale = true;
		if (this.bridge.unanswered() > 0) {
			exchange();
		}
	}

	boolean isDone() {
		return this.context.isDone(this.stream);
	}

	/**
	 * Makes the copies that the bridge has collected, if there are any, and waits for
	 * them.
	 */
	private void copy() {
		List<Consumer<CudaStream>> copies = this.queue.take();
		if (!copies.isEmpty()) {
			copies.forEach((copy) -> copy.accept(this.beside));
			await(this.beside);
		}
	}

	private void await(CudaStream stream) {
		long begin = System.nanoTime();
		while (!this.context.isDone(stream)) {
			if (System.nanoTime() - begin > LONGEST_COPY.toNanos()) {
				throw new CudaDeadlineException("a copy", LONGEST_COPY);
			}
			Thread.onSpinWait();
		}
	}

	void awaitBeside() {
		await(this.beside);
	}

	/**
	 * Brings what is new to a kernel that may run, and what it has answered back; returns
	 * how many requests and responses that is. Called on any thread, as what follows is.
	 */
	int exchange() {
		return visit(() -> {
			int count = this.bridge.toDevice();
			if (this.bridge.unanswered() > 0) {
				this.responses.fetch();
			}
			copy();
			if (this.responses.examine()) {
				copy();
			}
			count += this.responses.deliver();
			if (count > 0 && !this.kernelIsOut) {
				this.workersStale = true;
			}
			return count;
		});
	}

	/** Sends the host's line, if it has changed, beside the kernel. */
	void sendCommand() {
		visit(() -> {
			this.bridge.commandToDevice();
			copy();
			return true;
		});
	}

	/**
	 * Shows the host what the workers tell, if they may have told anything. What a kernel
	 * that has ended told is shown once: by then their lines may belong to a loop that
	 * has taken over, in another process even, and go on from there.
	 */
	void showWorkers() {
		if (!this.workersStale) {
			return;
		}
		visit(() -> {
			if (!this.workersStale) {
				return false;
			}
			this.bridge.fetchWorkers();
			copy();
			this.control.unlessHandedOver(this.bridge::deliverWorkers);
			this.workersStale = false;
			return true;
		});
	}

	void release() {
		this.image.close();
		this.resources.freeLater(this.memory);
		this.resources.destroyLater(this.beside);
	}

}
