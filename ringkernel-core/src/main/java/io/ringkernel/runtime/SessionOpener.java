package io.ringkernel.runtime;

import java.util.function.Consumer;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.ring.RingLayout;

/**
 * Opens the sessions of a kernel: sizes its ring, gives it memory, lays it out, and has
 * the backend load the loop.
 */
final class SessionOpener<I extends Record, O extends Record> {

	private static final long DEFAULT_RING_MEMORY = 4 << 20;

	private static final int DEFAULT_MIN_SLOTS = 16;

	private final KernelSpec<I, O> spec;

	private final KernelCounters counters;

	private final KernelTimings timings;

	private final Runnable onLoopBroken;

	private final Consumer<PlanFailedException> mover;

	SessionOpener(KernelSpec<I, O> spec, KernelCounters counters, KernelTimings timings, Runnable onLoopBroken,
			Consumer<PlanFailedException> mover) {
		this.mover = mover;
		this.timings = timings;
		this.spec = spec;
		this.counters = counters;
		this.onLoopBroken = onLoopBroken;
	}

	KernelSession<I, O> open(Backend backend) {
		KernelOptions options = this.spec.options();
		RingLayout ring = ring(options);
		RingMemory memory = backend.allocate(this.spec, ring.endOffset());
		DeviceLoop loop = null;
		try {
			ControlBlock control = new ControlBlock(memory.buffer(), options.workers());
			control.identify(ring, this.spec.requests().fingerprint(), this.spec.responses().fingerprint(), 0);
			control.bounds(options.requestsPerIteration(), options.idleBudget().toNanos(), options.iterationLimit());
			KernelRegion region = new KernelRegion(memory, control, ring);
			loop = backend.load(this.spec, region);
			return new KernelSession<>(this.spec, region, new MovableLoop(loop, this.mover), this.counters,
					this.timings, this.onLoopBroken);
		}
		catch (RuntimeException | Error ex) {
			if (loop != null) {
				loop.close();
			}
			memory.close();
			throw ex;
		}
	}

	private RingLayout ring(KernelOptions options) {
		int maxRequest = this.spec.requests().maxSize();
		int maxResponse = this.spec.responses().maxSize();
		long budget = (options.ringMemory() > 0) ? options.ringMemory()
				: Math.max(DEFAULT_RING_MEMORY, RingLayout.totalBytes(DEFAULT_MIN_SLOTS, maxRequest, maxResponse));
		return RingLayout.forBudget(ControlBlock.bytes(options.workers()), budget, maxRequest, maxResponse);
	}

}
