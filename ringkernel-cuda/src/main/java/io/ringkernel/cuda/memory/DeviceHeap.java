package io.ringkernel.cuda.memory;

import java.time.Duration;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DevicePointer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of a device for what is allocated and given back while kernels run. A device
 * with memory pools takes it back at once, in the order of a stream that nothing else
 * uses. The driver of any other would wait for the kernels, so it goes back when none
 * runs.
 *
 * @since 0.2.0
 */
public final class DeviceHeap {

	private static final Logger logger = LoggerFactory.getLogger(DeviceHeap.class);

	private final DeviceResources resources;

	private final boolean pooled;

	/** The stream that allocations and returns are ordered by, from the first one on. */
	private @Nullable CudaStream stream;

	DeviceHeap(DeviceResources resources, boolean pooled) {
		this.resources = resources;
		this.pooled = pooled;
	}

	/**
	 * Allocates memory that may be used as soon as this returns; fails with a
	 * {@code CudaException} if there is too little.
	 */
	DevicePointer allocate(long bytes, Duration patience) {
		if (!this.pooled) {
			return context().allocate(bytes);
		}
		CudaStream order = stream();
		DevicePointer memory = context().allocate(bytes, order);
		Deadline.await("an allocation", context(), order, patience);
		return memory;
	}

	/** Gives memory back: at once, or once no kernel runs. */
	void free(DevicePointer memory) {
		if (!this.pooled) {
			this.resources.freeLater(memory);
			return;
		}
		try {
			context().free(memory, stream());
		}
		catch (CudaDeadlineException ex) {
			if (!ex.isMade()) {
				this.resources.releaseLater(() -> context().free(memory, stream()));
			}
		}
		catch (CudaException ex) {
			logger.warn("Device memory could not be given back", ex);
		}
	}

	private synchronized CudaStream stream() {
		CudaStream known = this.stream;
		if (known == null) {
			known = context().createStream();
			this.stream = known;
		}
		return known;
	}

	private CudaContext context() {
		return this.resources.context();
	}

}
