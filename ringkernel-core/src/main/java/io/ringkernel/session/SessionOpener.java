package io.ringkernel.session;

import java.util.function.Consumer;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.CapturedContexts;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.HandlerFailures;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.RequestTimestamps;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.backend.SlotNotes;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.session.serving.ReplayDecision;
import io.ringkernel.session.serving.ServingLoop;

/**
 * Opens the sessions of a kernel: sizes its ring, gives it memory, lays it out, and has
 * the backend load the loop.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.2.0
 */
public final class SessionOpener<I extends Record, O extends Record> {

	private static final long DEFAULT_RING_MEMORY = 4 << 20;

	private static final int DEFAULT_MIN_SLOTS = 16;

	private final KernelSpec<I, O> spec;

	private final KernelCounters counters;

	private final KernelTimings timings;

	private final Consumer<KernelSession<?, ?>> gate;

	private final Runnable onLoopBroken;

	private final Consumer<PlanFailedException> mover;

	/**
	 * Creates an opener for one kernel.
	 * @param spec how it is defined
	 * @param counters what it counts
	 * @param timings how long its requests take
	 * @param gate throws if a session takes no requests now
	 * @param onLoopBroken what is told that a loop has broken for good
	 * @param mover what is told that a loop has ended because its plan failed
	 */
	public SessionOpener(KernelSpec<I, O> spec, KernelCounters counters, KernelTimings timings,
			Consumer<KernelSession<?, ?>> gate, Runnable onLoopBroken, Consumer<PlanFailedException> mover) {
		this.mover = mover;
		this.gate = gate;
		this.timings = timings;
		this.spec = spec;
		this.counters = counters;
		this.onLoopBroken = onLoopBroken;
	}

	/**
	 * Opens a session.
	 * @param backend what gives it memory and a loop
	 * @return the session, not started
	 */
	public KernelSession<I, O> open(Backend backend) {
		ClassPreloader.initialize();
		KernelOptions options = this.spec.options();
		RingLayout ring = ring(options);
		RingMemory memory = backend.allocate(this.spec, ring.endOffset());
		DeviceLoop loop = null;
		try {
			ControlBlock control = new ControlBlock(memory.buffer(), options.workers());
			control.identify(ring, this.spec.requests().fingerprint(), this.spec.responses().fingerprint(), 0);
			SlotWaiters waiters = new SlotWaiters(ring);
			KernelRegion region = new KernelRegion(memory, control, ring).with(new SlotNotes(
					new RequestTimestamps(ring.slots()), new CapturedContexts(this.spec.context(), ring.slots()),
					new HandlerFailures(ring.slots()), waiters));
			loop = backend.load(this.spec, region);
			return new KernelSession<>(this.spec,
					new ServingLoop(loop, region, new ReplayDecision(this.spec, region), this.counters,
							this.spec.options().stopTimeout(), this.mover),
					waiters, this.counters, this.timings, this.gate, this.onLoopBroken);
		}
		catch (RuntimeException | Error ex) {
			if (loop != null) {
				close(loop, ex);
			}
			close(memory, ex);
			throw ex;
		}
	}

	private static void close(AutoCloseable opened, Throwable why) {
		try {
			opened.close();
		}
		catch (Exception | Error ex) {
			why.addSuppressed(ex);
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
