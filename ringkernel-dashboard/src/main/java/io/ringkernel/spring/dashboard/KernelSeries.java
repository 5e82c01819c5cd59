package io.ringkernel.spring.dashboard;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.LatencyWindow;
import io.ringkernel.runtime.Kernel;
import org.jspecify.annotations.Nullable;

/** What one kernel did in each of the latest intervals, by counters that it has. */
final class KernelSeries {

	private final Kernel<?, ?> kernel;

	private final int capacity;

	private final Deque<HistorySample> samples = new ArrayDeque<>();

	private final LatencyWindow latency;

	private Counts before;

	/**
	 * Creates the series; its first interval begins now.
	 * @param now milliseconds since 1970
	 * @param capacity how many intervals are kept
	 */
	KernelSeries(Kernel<?, ?> kernel, long now, int capacity) {
		this.kernel = kernel;
		this.capacity = capacity;
		this.latency = new LatencyWindow(kernel.timings());
		this.before = Counts.of(kernel, now);
	}

	/**
	 * Ends the present interval and begins the next one.
	 * @param now milliseconds since 1970
	 */
	void sample(long now) {
		Counts counts = Counts.of(this.kernel, now);
		Counts before = this.before;
		this.before = counts;
		if (now <= before.at()) {
			// The clock was set back: there is no such interval.
			return;
		}
		if (this.samples.size() == this.capacity) {
			this.samples.removeFirst();
		}
		this.samples.addLast(HistorySample.of(now, counts.perSecond(counts.requests() - before.requests(), before),
				counts.perSecond(counts.errors() - before.errors(), before), this.latency.next(),
				counts.busySince(before)));
	}

	/**
	 * The samples of the intervals that have ended after some time, the oldest first.
	 * @param time milliseconds since 1970
	 */
	List<HistorySample> after(long time) {
		return this.samples.stream().filter((sample) -> sample.at() > time).toList();
	}

	/**
	 * What the kernel has counted until some time.
	 *
	 * @param busyNanos what the workers on the device were at work; {@code null} if they
	 * do not tell
	 */
	private record Counts(long at, long requests, long errors, int workers, @Nullable Long busyNanos) {

		static Counts of(Kernel<?, ?> kernel, long at) {
			KernelStatus status = kernel.status();
			return new Counts(at, status.processed(),
					status.failed() + status.timedOut() + status.rejected() + status.lost(), status.workers(),
					kernel.deviceTimes().map(DeviceTimes::totalNanos).orElse(null));
		}

		/** A kernel that has lost a replica has counted less than before. */
		double perSecond(long more, Counts before) {
			return Math.max(0, more) * 1000.0 / (this.at - before.at);
		}

		/** Each launch counts from zero. */
		@Nullable Double busySince(Counts before) {
			if (this.busyNanos == null || this.workers == 0) {
				return null;
			}
			long earlier = (before.busyNanos != null && before.busyNanos <= this.busyNanos) ? before.busyNanos : 0;
			long available = Duration.ofMillis(this.at - before.at).toNanos() * this.workers;
			return Math.min(1, (this.busyNanos - earlier) / (double) available);
		}

	}

}
