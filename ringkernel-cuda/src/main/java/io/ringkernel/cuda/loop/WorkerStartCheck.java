package io.ringkernel.cuda.loop;

import java.util.stream.IntStream;

import io.ringkernel.control.ControlBlock;

/**
 * Which workers of a kernel have shown a sign of life since a moment. The device spreads
 * blocks over its multiprocessors one after another and keeps those waiting that find no
 * place: nothing but their own sign of life tells that all of them run.
 */
final class WorkerStartCheck {

	private final ControlBlock control;

	private final long[] before;

	private final long launches;

	WorkerStartCheck(ControlBlock control) {
		this.control = control;
		this.launches = control.launches();
		this.before = IntStream.range(0, control.workers()).mapToLong(control::heartbeat).toArray();
	}

	/**
	 * How many workers have shown none: they have neither come up in a launch since then,
	 * nor beaten. Over a bridge, they only beat.
	 */
	int absent() {
		boolean launched = this.control.launches() != this.launches;
		return (int) IntStream.range(0, this.before.length)
			.filter((worker) -> !(launched && this.control.cameUp(worker))
					&& this.control.heartbeat(worker) == this.before[worker])
			.count();
	}

}
