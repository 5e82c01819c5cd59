package io.ringkernel.backend;

import java.time.Duration;
import java.util.Map;

import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.ring.order.TicketOrder;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;

/**
 * Something that takes requests from a ring, has them handled and answers them: Java
 * threads, or a kernel on a device. Started and stopped by one thread at a time; the
 * doorbell and the nudge are for everyone.
 *
 * @since 0.1.0
 */
public interface DeviceLoop extends AutoCloseable {

	/**
	 * Starts the loop, or resumes it where it stopped.
	 * @throws KernelLaunchException if it cannot be started
	 */
	void start();

	/**
	 * {@return whether the loop rings the {@linkplain SlotNotes#bell bell} after each
	 * answer; if not, threads that wait have to look at the ring, as with a device}
	 * @since 0.2.0
	 */
	default boolean rings() {
		return false;
	}

	/**
	 * Tells the loop that a request was published; each producer calls it after each
	 * publication. While the loop runs, that costs at most a fence and a load; for a loop
	 * that polls all the time, nothing.
	 */
	void doorbell();

	/**
	 * Tells the loop that a thread has waited for longer than a round trip takes. The
	 * loop looks for a request that no worker has begun, and wakes another worker if it
	 * has one.
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
	 * Tells the loop that no caller waits for the answer to a request any more, after the
	 * request was withdrawn and before its slot is released. The loop interrupts a
	 * handler that is at it, if the platform can, and answers the request all the same.
	 * @param position the position of the request
	 * @since 0.2.0
	 */
	default void abandon(long position) {
	}

	/**
	 * Interrupts the handlers of a loop that does not stop, if the platform can. The
	 * requests that they handle may fail.
	 */
	default void interrupt() {
	}

	/**
	 * {@return whether {@link #interrupt} reaches handlers, so that a loop that did not
	 * stop is worth another wait, unlike on a device}
	 * @since 0.2.0
	 */
	default boolean isInterruptible() {
		return false;
	}

	/**
	 * What broke the loop, if it broke. A {@link PlanFailedException} says as well that
	 * the loop has ended for good: nothing of it reaches the memory any more, so another
	 * loop may take the ring over.
	 * @return the failure; {@code null} if it is sound
	 */
	@Nullable Throwable failure();

	/**
	 * The requests that the loop may have begun without answering them. Called when it
	 * has ended, before another one is loaded.
	 * @return their positions, in ascending order; none for a loop that has answered each
	 * request that it had begun, as all do that are not ended by force
	 * @since 0.2.0
	 */
	default long[] begun() {
		return new long[0];
	}

	/**
	 * How many workers take requests together, as {@link TicketOrder} describes.
	 * @return the workers of each group but the last, which has what remains: at least 1,
	 * and no fewer than the loop has workers if all are in one group
	 * @since 0.2.0
	 */
	default int workersPerGroup() {
		return Integer.MAX_VALUE;
	}

	/**
	 * {@return how many workers run now, in their handler or looking for requests}
	 */
	int activeWorkers();

	/**
	 * {@return the bytes of device memory that the loop holds besides the ring; 0 on no
	 * device. Known without asking a driver}
	 */
	default long deviceMemoryBytes() {
		return 0;
	}

	/**
	 * {@return what the loop is launched with, as names and values for display: grid,
	 * registers, image and so on; nothing for Java threads. Calls no driver}
	 * @since 0.2.0
	 */
	default Map<String, Object> launchParameters() {
		return Map.of();
	}

	/**
	 * {@return the cycles a second of the clock by which workers count the time that
	 * requests take on the device; 0 where they count none}
	 */
	default long clockHertz() {
		return 0;
	}

	/**
	 * The state of the kernel. Used only between a stop of the loop and the next start,
	 * by one thread.
	 * @param kernel the kernel that the loop was loaded for
	 * @return its state
	 * @throws SnapshotException if the loop gives no access to it
	 * @since 0.2.0
	 */
	default KernelMemory memory(KernelSpec<?, ?> kernel) {
		throw new SnapshotException(kernel.id(), "the loop that runs it gives no access to its state",
				"Run the kernel on another backend.", null);
	}

	/**
	 * Gives back what the loop holds. A loop that has not stopped keeps what it can still
	 * reach until it does.
	 */
	@Override
	void close();

}
