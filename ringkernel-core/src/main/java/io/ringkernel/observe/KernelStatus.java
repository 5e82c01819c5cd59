package io.ringkernel.observe;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import io.ringkernel.KernelState;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * A kernel at one moment.
 *
 * @param id the kernel's id
 * @param state its state
 * @param plan how it is run
 * @param processed requests that were answered, whichever way, over all launches
 * @param failed requests on which the handler failed, over all launches
 * @param timedOut requests that were not answered in time, over all launches
 * @param rejected requests that were not sent because the ring was full, over all
 * launches
 * @param lost requests that may have been begun when their device was lost, and that are
 * not handled again, over all launches
 * @param replayed requests that may have been begun when their device was lost, and that
 * were handled again, over all launches
 * @param inFlight slots in use; 0 once the kernel has failed and no caller waits any more
 * @param slots slots of the ring; 0 while the kernel has none
 * @param memoryBytes memory of control block and ring; 0 while the kernel has none
 * @param workers the most workers that take requests side by side
 * @param activeWorkers workers that run now
 * @param heartbeat grows while any worker runs; of this launch
 * @param loopLaunches how often the loop, or one of its workers, was launched or resumed,
 * over all launches of the kernel
 * @param restarts how often the kernel was launched after the first time
 * @param oldestRequestAge for how long a caller has waited for the oldest response that
 * is waited for; also where that was given up and the request still holds its slot. A
 * caller that spins all the time is not counted until it gives up
 * @param heartbeatAge for how long the heartbeat has been the same, as far as it was
 * looked at; zero while no worker runs
 * @param deviceMemoryBytes memory of the device that the kernel holds besides its ring
 * @param stuck whether the kernel is active and a caller has waited for longer than the
 * request timeout, while, as far as it was looked at, nothing was answered for as long
 * @param lastFailure why the kernel last failed, if it did
 * @since 0.1.0
 */
public record KernelStatus(String id, KernelState state, ExecutionPlan plan, long processed, long failed, long timedOut,
		long rejected, long lost, long replayed, int inFlight, int slots, long memoryBytes, int workers,
		int activeWorkers, long heartbeat, long loopLaunches, long restarts, Duration oldestRequestAge,
		Duration heartbeatAge, long deviceMemoryBytes, boolean stuck, @Nullable String lastFailure) {

	/**
	 * Puts the statuses of replicas together: counts are sums, ages are the longest, and
	 * the plan is that of the first.
	 * @param id the id of the kernel
	 * @param state its state
	 * @param replicas the statuses of its replicas, at least one
	 * @return the status of the kernel
	 * @since 0.2.0
	 */
	public static KernelStatus of(String id, KernelState state, List<KernelStatus> replicas) {
		return new KernelStatus(id, state, replicas.get(0).plan(), sum(replicas, KernelStatus::processed),
				sum(replicas, KernelStatus::failed), sum(replicas, KernelStatus::timedOut),
				sum(replicas, KernelStatus::rejected), sum(replicas, KernelStatus::lost),
				sum(replicas, KernelStatus::replayed), (int) sum(replicas, KernelStatus::inFlight),
				(int) sum(replicas, KernelStatus::slots), sum(replicas, KernelStatus::memoryBytes),
				(int) sum(replicas, KernelStatus::workers), (int) sum(replicas, KernelStatus::activeWorkers),
				sum(replicas, KernelStatus::heartbeat), sum(replicas, KernelStatus::loopLaunches),
				sum(replicas, KernelStatus::restarts), longest(replicas, KernelStatus::oldestRequestAge),
				longest(replicas, KernelStatus::heartbeatAge), sum(replicas, KernelStatus::deviceMemoryBytes),
				replicas.stream().anyMatch(KernelStatus::stuck),
				replicas.stream().map(KernelStatus::lastFailure).filter(Objects::nonNull).findFirst().orElse(null));
	}

	private static long sum(List<KernelStatus> replicas, ToLongFunction<KernelStatus> count) {
		return replicas.stream().mapToLong(count).sum();
	}

	private static Duration longest(List<KernelStatus> replicas, Function<KernelStatus, Duration> age) {
		return replicas.stream().map(age).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

}
