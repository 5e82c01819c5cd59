package io.ringkernel.backend;

import java.time.Duration;

import io.ringkernel.KernelLaunchException;
import org.jspecify.annotations.Nullable;

/**
 * Something that takes requests from a ring, has them handled and answers them: Java
 * threads, or a kernel on a device. Started and stopped by one thread at a time; the
 * doorbell and the nudge are for everyone.
 */
public interface DeviceLoop extends AutoCloseable {

	/**
	 * Starts the loop, or resumes it where it stopped.
	 * @throws KernelLaunchException if it cannot be started
	 */
	void start();

	/**
	 * Has the loop note when it begins and ends the requests that are timed. Called once,
	 * before it is first started. A loop whose clock is not the host's notes nothing.
	 * @param clock where to note it
	 */
	default void time(RequestClock clock) {
	}

	/**
	 * Tells the loop that a request was published. Called after each publication: it
	 * costs a fence and a load at most while the loop runs, and nothing for one that
	 * polls all the time.
	 */
	void doorbell();

	/**
	 * Tells the loop that somebody has waited for longer than a round trip takes. It
	 * looks whether a request lies there that nobody has begun, and brings up another
	 * worker if it has one.
	 */
	void nudge();

	/**
	 * Asks the loop to stop after the requests that it has begun, and waits for it.
	 * Stopping a stopped loop returns at once.
	 * @param timeout how long to wait
	 * @return whether it has stopped: nothing reaches the memory any more. Otherwise it
	 * still stops as soon as it can
	 * @throws InterruptedException if the thread was interrupted
	 */
	boolean stop(Duration timeout) throws InterruptedException;

	/**
	 * Presses a loop that does not stop: interrupts its handlers, where the platform can.
	 * The requests that they are at may fail.
	 */
	default void interrupt() {
	}

	/**
	 * Takes the exception with which the handler failed on a request, if it was one.
	 * @param slot the slot of a request that was answered with a failure
	 * @return the exception; {@code null} if a code is all there is
	 */
	@Nullable Throwable takeFailure(int slot);

	/**
	 * What broke the loop, if it broke.
	 * @return the failure; {@code null} if it is sound
	 */
	@Nullable Throwable failure();

	/**
	 * How many workers run now, in their handler or looking for requests.
	 * @return a count from 0 to the kernel's workers
	 */
	int activeWorkers();

	/**
	 * How much memory of a device the loop holds, besides the ring.
	 * @return bytes; 0 where the loop runs on no device. Known without asking a driver
	 */
	default long deviceMemoryBytes() {
		return 0;
	}

	/**
	 * How fast the clock is by which workers count the time that requests take on the
	 * device.
	 * @return cycles a second; 0 where workers count none
	 */
	default long clockHertz() {
		return 0;
	}

	/**
	 * Gives back what the loop holds. A loop that has not stopped keeps what it can still
	 * reach until it does.
	 */
	@Override
	void close();

}
