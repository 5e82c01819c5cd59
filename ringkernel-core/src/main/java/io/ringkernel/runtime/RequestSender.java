package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RingFullException;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.WaitStrategy;

/**
 * The sending half of a session: finds a slot for a request and publishes it.
 */
final class RequestSender<I extends Record> {

	/** How long the delivery thread waits for a slot before it delivers again. */
	private static final long DELIVERY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	private final KernelSpec<I, ?> kernel;

	private final HostRing ring;

	private final DeviceLoop loop;

	private final KernelCounters counters;

	private final SessionEnd end;

	private final ResponseReceiver<?> receiver;

	private final BackgroundClaims background;

	private final SessionTimings timings;

	RequestSender(KernelSpec<I, ?> kernel, HostRing ring, DeviceLoop loop, ResponseReceiver<?> receiver,
			KernelCounters counters, SessionEnd end, SessionTimings timings) {
		this.timings = timings;
		this.receiver = receiver;
		this.kernel = kernel;
		this.ring = ring;
		this.loop = loop;
		this.counters = counters;
		this.end = end;
		this.background = new BackgroundClaims(ring, end, kernel.options().workers());
	}

	/**
	 * Validates a request. It is measured before a position is claimed, so that an
	 * invalid one disturbs nothing.
	 * @return its encoded size
	 */
	int measure(I request) {
		return this.kernel.requests().measure(request);
	}

	/**
	 * Claims a position.
	 * @param deadline when to give up, or {@link Deadlines#UNSET} to begin waiting now
	 */
	long claim(long deadline, long timeoutNanos, Admission admission) {
		long begun = this.timings.begin();
		long position = tryClaim(admission);
		if (position == HostRing.FULL) {
			position = claimFromFull(deadline, timeoutNanos, admission);
		}
		this.timings.claimed(position, begun);
		return position;
	}

	/**
	 * Claims the next position, if its slot is free.
	 * @return the position, or {@link HostRing#FULL}
	 */
	private long tryClaim(Admission admission) {
		return admission.isBackground() ? this.background.tryClaim() : this.ring.tryClaim();
	}

	/**
	 * Claims any position, if a slot is free.
	 * @return the position, or {@link HostRing#FULL}
	 * @throws io.ringkernel.KernelTerminatedException if the session has ended
	 */
	long tryClaimAny(Admission admission) {
		long begun = this.timings.begin();
		long position = tryClaim(admission);
		if (position == HostRing.FULL && !admission.isBackground()) {
			position = this.ring.tryClaimAny();
		}
		if (position == HostRing.FULL) {
			this.end.check();
		}
		else {
			this.timings.claimed(position, begun);
		}
		return position;
	}

	private long claimFromFull(long deadline, long timeoutNanos, Admission admission) {
		boolean waits = admission.waits(this.kernel.options().backpressure());
		long position;
		try {
			position = waits ? claimWaiting(Deadlines.orIn(deadline, timeoutNanos), admission) : tryClaimAny(admission);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.kernel.id());
		}
		if (position == HostRing.FULL) {
			this.end.check();
			throw this.counters.rejected(new RingFullException(this.kernel.id(), this.ring.layout().slots(),
					this.ring.inFlight(), Duration.ofNanos(waits ? timeoutNanos : 0)));
		}
		return position;
	}

	/**
	 * Waits for a slot. A delivery thread, in a stage that depends on a future, goes on
	 * delivering meanwhile: those who hold the slots may be waiting for it.
	 */
	private long claimWaiting(long deadline, Admission admission) throws InterruptedException {
		if (admission.isBackground()) {
			return this.background.claim(deadline);
		}
		WaitStrategy strategy = this.kernel.options().waitStrategy();
		Delivery own = Delivery.ofCurrentThread();
		if (own == null) {
			return this.ring.claim(deadline, strategy);
		}
		long position = HostRing.FULL;
		while (position == HostRing.FULL && !Deadlines.hasPassed(deadline) && !this.end.isSet()) {
			own.deliverAround();
			position = this.ring.claim(Deadlines.earlier(deadline, System.nanoTime() + DELIVERY_NANOS), strategy);
		}
		return position;
	}

	/**
	 * Publishes a request that has been measured. If it does not encode after all,
	 * because an accessor of the record threw or returned something else the second time,
	 * an empty request takes its place, and the position is given up.
	 */
	void publish(long position, I request, int length) {
		try {
			this.ring.publish(position, request, length, this.kernel.requests());
		}
		catch (RuntimeException | Error ex) {
			this.ring.retract(position);
			this.receiver.abandon(position);
			throw ex;
		}
		finally {
			this.loop.doorbell();
		}
	}

}
