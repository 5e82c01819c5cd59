package io.ringkernel.cuda.load;

import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.cuda.transport.TransportProvider;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;

/**
 * When a kernel is launched and when it ends, and how its ring gets to it.
 *
 * @param mode launched once, or whenever there is something to do
 * @param byGraph whether it is launched as a graph of one node, prepared once
 * @param answersPerLaunch whether nothing reaches a launch while it runs, nor comes from
 * it
 * @param idleBudgetNanos how long a launch finds nothing before it ends; 0 for for ever
 * @param timeLimitNanos how long a launch takes requests before it ends; 0 for for ever
 * @since 0.2.0
 */
public record LaunchPolicy(ExecutionMode mode, Transport transport, boolean byGraph, boolean answersPerLaunch,
		long idleBudgetNanos, long timeLimitNanos) {

	/** The shortest idle budget that there is. */
	private static final long ENDS_WHEN_IT_FINDS_NOTHING = 1;

	/**
	 * A driver with a display ends a kernel that runs for two seconds, and with it the
	 * context. A quarter of them leaves time for a slow handler to end.
	 */
	private static final long TIME_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/**
	 * How long one of which nothing is heard, and which hears nothing, takes requests.
	 */
	private static final long UNHEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/**
	 * A persistent kernel ends when it is told to, and at no other time. An event-driven
	 * one ends by itself: when it has found nothing for its budget, or, over a bridge, as
	 * soon as it finds nothing, because what it has answered comes back at its end. If
	 * requests come without a pause, it ends at its time limit. That is short where
	 * nothing reaches a launch while it runs.
	 */
	public static LaunchPolicy of(ExecutionMode mode, Transport transport, Behaviour behaviour, KernelOptions options) {
		if (mode == ExecutionMode.PERSISTENT) {
			return new LaunchPolicy(mode, transport, false, false, 0, 0);
		}
		long idleBudget = TransportProvider.of(transport).answersAtTheEnd() ? ENDS_WHEN_IT_FINDS_NOTHING
				: Math.max(ENDS_WHEN_IT_FINDS_NOTHING, options.idleBudget().toNanos());
		boolean answersPerLaunch = answersPerLaunch(mode, transport, behaviour);
		return new LaunchPolicy(mode, transport, behaviour.isFasterByGraph(), answersPerLaunch, idleBudget,
				answersPerLaunch ? UNHEARD_NANOS : TIME_LIMIT_NANOS);
	}

	/** Whether nothing reaches a launch while it runs, nor comes from it. */
	public static boolean answersPerLaunch(ExecutionMode mode, Transport transport, Behaviour behaviour) {
		return mode == ExecutionMode.EVENT_DRIVEN && TransportProvider.of(transport).answersAtTheEnd()
				&& !behaviour.worksBeside();
	}

	/** Whether a launch ends as soon as it finds nothing. */
	public boolean endsAtOnce() {
		return this.idleBudgetNanos == ENDS_WHEN_IT_FINDS_NOTHING;
	}

	/**
	 * Whether a launch is prepared as a graph: not of workers that wait for each other,
	 * as JCuda knows no nodes for such.
	 */
	boolean prepares(WorkerGrid grid) {
		return this.byGraph && !grid.cooperative();
	}

	public boolean isPersistent() {
		return this.mode == ExecutionMode.PERSISTENT;
	}

}
