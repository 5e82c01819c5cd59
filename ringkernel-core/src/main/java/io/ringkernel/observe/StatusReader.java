package io.ringkernel.observe;

import java.time.Duration;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what is known of a kernel, and notices what has not changed since it was
 * looked at before.
 *
 * @since 0.2.0
 */
public final class StatusReader {

	private final KernelSpec<?, ?> spec;

	private final KernelCounters counters;

	private final Progress answers = new Progress();

	private final Progress heartbeats = new Progress();

	/**
	 * Creates a reader for one kernel.
	 * @param spec how it is defined
	 * @param counters what it has counted
	 */
	public StatusReader(KernelSpec<?, ?> spec, KernelCounters counters) {
		this.spec = spec;
		this.counters = counters;
	}

	/**
	 * Reads the status.
	 * @param state the state of the kernel
	 * @param plan how it is run
	 * @param session its launch, if there is one
	 * @param lastFailure why it last failed, if it did
	 * @return the status
	 */
	public KernelStatus read(KernelState state, ExecutionPlan plan, @Nullable ObservedSession session,
			@Nullable String lastFailure) {
		KernelCounters.Totals totals = this.counters.totals(session);
		if (session == null) {
			return new KernelStatus(this.spec.id(), state, plan, totals.processed(), totals.failed(),
					this.counters.timeouts(), this.counters.rejections(), this.counters.losses(),
					this.counters.replays(), 0, 0, 0, this.spec.options().workers(), 0, 0, totals.launches(),
					this.counters.restarts(), Duration.ZERO, Duration.ZERO, 0, false, lastFailure);
		}
		ControlBlock control = session.region().control();
		long now = System.nanoTime();
		long heartbeat = control.heartbeat();
		int activeWorkers = session.activeWorkers();
		// The callers of a kernel that failed have been told.
		boolean waits = state != KernelState.FAILED;
		long oldestAge = waits ? session.oldestAge(now) : 0;
		long silence = this.heartbeats.unchangedFor(heartbeat, now);
		return new KernelStatus(this.spec.id(), state, plan, totals.processed(), totals.failed(),
				this.counters.timeouts(), this.counters.rejections(), this.counters.losses(), this.counters.replays(),
				waits ? session.region().host().inFlight().count() : 0, session.region().ring().slots(),
				session.region().ring().endOffset(), control.workers(), activeWorkers, heartbeat, totals.launches(),
				this.counters.restarts(), Duration.ofNanos(oldestAge),
				Duration.ofNanos((activeWorkers > 0) ? silence : 0), session.deviceMemoryBytes(),
				isStuck(state, totals.processed(), oldestAge, now), lastFailure);
	}

	private boolean isStuck(KernelState state, long answered, long oldestAge, long now) {
		long patience = this.spec.options().requestTimeout().toNanos();
		long unanswered = this.answers.unchangedFor(answered, now);
		return state == KernelState.ACTIVE && oldestAge > patience && unanswered > patience;
	}

	/**
	 * When a count was last seen to change. Between two looks at it, it may have changed
	 * earlier.
	 */
	private static final class Progress {

		private volatile @Nullable Seen seen;

		/** For how long it has been the same, in nanoseconds; 0 at the first look. */
		long unchangedFor(long count, long now) {
			Seen last = this.seen;
			if (last == null || last.count() != count) {
				this.seen = new Seen(count, now);
				return 0;
			}
			return Math.max(0, now - last.since());
		}

		private record Seen(long count, long since) {
		}

	}

}
