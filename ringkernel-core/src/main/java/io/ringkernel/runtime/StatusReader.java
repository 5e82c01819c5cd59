package io.ringkernel.runtime;

import java.time.Duration;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what is known of a kernel, and notices what has not changed since it was
 * looked at before.
 */
final class StatusReader {

	private final KernelSpec<?, ?> spec;

	private final KernelCounters counters;

	private final Progress answers = new Progress();

	private final Progress heartbeats = new Progress();

	StatusReader(KernelSpec<?, ?> spec, KernelCounters counters) {
		this.spec = spec;
		this.counters = counters;
	}

	KernelStatus read(KernelState state, ExecutionPlan plan, @Nullable KernelSession<?, ?> session,
			@Nullable String lastFailure) {
		KernelCounters.Totals totals = this.counters.totals(session);
		if (session == null) {
			return new KernelStatus(this.spec.id(), state, plan, totals.processed(), totals.failed(),
					this.counters.timeouts(), this.counters.rejections(), 0, 0, 0, this.spec.options().workers(), 0, 0,
					totals.launches(), this.counters.restarts(), Duration.ZERO, Duration.ZERO, 0, false, lastFailure);
		}
		ControlBlock control = session.region().control();
		long now = System.nanoTime();
		long heartbeat = control.heartbeat();
		int activeWorkers = session.loop().activeWorkers();
		long oldestAge = session.oldestAge(now);
		long silence = this.heartbeats.unchangedFor(heartbeat, now);
		return new KernelStatus(this.spec.id(), state, plan, totals.processed(), totals.failed(),
				this.counters.timeouts(), this.counters.rejections(), session.ring().inFlight(),
				session.region().ring().slots(), session.region().ring().endOffset(), control.workers(), activeWorkers,
				heartbeat, totals.launches(), this.counters.restarts(), Duration.ofNanos(oldestAge),
				Duration.ofNanos((activeWorkers > 0) ? silence : 0), session.loop().deviceMemoryBytes(),
				isStuck(state, totals.processed(), oldestAge, now), lastFailure);
	}

	private boolean isStuck(KernelState state, long answered, long oldestAge, long now) {
		long patience = this.spec.options().requestTimeout().toNanos();
		long unanswered = this.answers.unchangedFor(answered, now);
		return state == KernelState.ACTIVE && oldestAge > patience && unanswered > patience;
	}

}
