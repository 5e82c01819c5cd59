package io.ringkernel.cpu;

import java.time.Duration;

/**
 * The threads of a loop. A worker is dispatched when it is needed, runs until it has
 * nothing to do, and then rests.
 */
interface Workers {

	/**
	 * Has a worker that rests run a task on a thread; the task is not run twice at once
	 * for the same worker.
	 * @return whether it will run; {@code false} once the threads are closed
	 */
	boolean dispatch(int worker, Runnable task);

	/**
	 * Interrupts every worker that runs.
	 */
	void interrupt();

	/**
	 * Ends the threads that rest at once, and the others when they come to rest.
	 * @param timeout how long to wait for the threads to end
	 */
	void close(Duration timeout);

}
