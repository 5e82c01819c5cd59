package io.ringkernel.cuda.memory;

import java.time.Duration;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaGraph;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;

/**
 * What is taken from a device and goes back to it: its memory, and its access to the
 * host's. The driver takes most of it back only while no kernel runs, so it waits for
 * such a moment.
 *
 * @since 0.2.0
 */
public final class DeviceResources {

	private final CudaContext context;

	private final DeferredReleases releases;

	private final Quiescence quiescence;

	private final Registrations registrations;

	private final DeviceHeap heap;

	/** Manages the resources of a device, which may have memory pools. */
	public DeviceResources(CudaContext context, boolean pooled, DeferredReleases releases, Quiescence quiescence) {
		this.context = context;
		this.releases = releases;
		this.quiescence = quiescence;
		this.registrations = new Registrations(this);
		this.heap = new DeviceHeap(this, pooled);
		context.releaseLateResults(this::releaseLater);
	}

	/**
	 * Gives back what waits for a moment at which no kernel runs, if this is one. Waits
	 * for nothing.
	 */
	public void reclaim() {
		this.quiescence.reclaim();
	}

	public CudaContext context() {
		return this.context;
	}

	/** The host's memory that the device may reach. */
	public Registrations registrations() {
		return this.registrations;
	}

	/**
	 * Allocates memory for what outlives requests; if there is too little, gives back
	 * first what waits for it. Fails if there is too little all the same.
	 */
	public DevicePointer allocate(long bytes, Duration patience) {
		try {
			return this.heap.allocate(bytes, patience);
		}
		catch (CudaException ex) {
			if (!ex.status().isOutOfMemory() || this.releases.isEmpty()) {
				throw ex;
			}
			return this.quiescence.during("memory", patience, () -> this.heap.allocate(bytes, patience));
		}
	}

	public void free(DevicePointer memory) {
		this.heap.free(memory);
	}

	public void freeLater(DevicePointer memory) {
		releaseLater(() -> this.context.free(memory));
	}

	public void destroyLater(CudaGraph graph) {
		releaseLater(() -> this.context.destroy(graph));
	}

	public void destroyLater(CudaStream stream) {
		releaseLater(() -> this.context.destroy(stream));
	}

	/** Does something once no kernel runs, and none is about to. */
	void releaseLater(Runnable release) {
		this.releases.add(release);
		this.quiescence.reclaim();
	}

}
