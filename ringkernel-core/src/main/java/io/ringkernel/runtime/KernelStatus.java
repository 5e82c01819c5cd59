package io.ringkernel.runtime;

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
 * @param inFlight slots in use
 * @param slots slots of the ring; 0 while the kernel has none
 * @param memoryBytes memory of control block and ring; 0 while the kernel has none
 * @param workers the most workers that take requests side by side
 * @param activeWorkers workers that run now
 * @param heartbeat grows while any worker runs; of this launch
 * @param loopLaunches how often the loop, or one of its workers, was launched or resumed;
 * of this launch
 * @param lastFailure why the kernel last failed, if it did
 */
public record KernelStatus(String id, KernelState state, ExecutionPlan plan, long processed, long failed, long timedOut,
		long rejected, int inFlight, int slots, long memoryBytes, int workers, int activeWorkers, long heartbeat,
		long loopLaunches, @Nullable String lastFailure) {
}
