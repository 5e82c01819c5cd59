package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.ringkernel.Durations;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DeviceLoss;
import io.ringkernel.cuda.memory.DeferredReleases;
import io.ringkernel.cuda.memory.Quiescence;
import io.ringkernel.exception.KernelLaunchException;

/**
 * Held by the thread that loads or starts a kernel, one at a time.
 * <p>
 * The driver holds up loading, registering and freeing while a kernel runs. The thread
 * that holds the lock asks all kernels of the device to yield for that: they end after
 * the requests at hand, keeping their place in the ring, and are launched again
 * afterwards.
 *
 * @since 0.2.0
 */
public final class LoadLock implements Quiescence {

	/** How long a load may take that waits for no kernel to yield. */
	private static final Duration LOAD = Duration.ofSeconds(90);

	private final ReentrantLock lock = new ReentrantLock();

	private final DeviceLoops loops;

	private final DeferredReleases releases;

	private final DeviceLoss loss;

	private final Duration least;

	public LoadLock(DeviceLoops loops, DeferredReleases releases, DeviceLoss loss) {
		this(loops, releases, loss, LOAD);
	}

	LoadLock(DeviceLoops loops, DeferredReleases releases, DeviceLoss loss, Duration least) {
		this.loops = loops;
		this.releases = releases;
		this.loss = loss;
		this.least = least;
	}

	/**
	 * Does something under the lock. The thread that holds it may wait for kernels to
	 * yield, so others wait for it as long as kernels may take for that.
	 * @throws KernelLaunchException if the device is lost, or another thread holds the
	 * lock for too long
	 */
	<T> T hold(String id, Duration patience, Supplier<T> body) {
		requireDevice(id);
		Duration longest = (patience.compareTo(this.least) > 0) ? patience : this.least;
		try {
			if (!this.lock.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new KernelLaunchException(id, "another kernel is being loaded and was not done within %s."
					.formatted(Durations.format(longest)), "Try again, or raise its stop-timeout.", null);
			}
		}
		catch (InterruptedException ex) {
			throw Deadline.interrupted(id, ex);
		}
		try {
			return body.get();
		}
		finally {
			this.lock.unlock();
			reclaim();
		}
	}

	/** Fails the launch of a kernel if this process has lost the device. */
	public void requireDevice(String id) {
		Throwable cause = this.loss.cause();
		if (cause != null) {
			throw new KernelLaunchException(id,
					"this process has lost the device: %s Restart the application.".formatted(cause.getMessage()),
					cause);
		}
	}

	@Override
	public <T> T during(String id, Duration patience, Supplier<T> body) {
		return hold(id, patience, () -> whileOthersYield(id, patience, body));
	}

	/**
	 * Does something while no kernel runs; what waits for that is given back before and
	 * after. Only called by the thread that holds the lock.
	 * @throws KernelLaunchException if kernels do not yield in time
	 */
	<T> T whileOthersYield(String id, Duration patience, Supplier<T> body) {
		YieldTicket ticket = yieldOthers(id, patience);
		try {
			this.releases.run();
			return body.get();
		}
		finally {
			this.releases.run();
			ticket.close();
		}
	}

	private YieldTicket yieldOthers(String id, Duration patience) {
		try {
			return this.loops.haveYielded(id, patience);
		}
		catch (InterruptedException ex) {
			throw Deadline.interrupted(id, ex);
		}
	}

	@Override
	public void reclaim() {
		if (!this.releases.isEmpty() && this.loss.cause() == null && !this.lock.isHeldByCurrentThread()
				&& this.lock.tryLock()) {
			try {
				releaseIfAllAreOut();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	private void releaseIfAllAreOut() {
		YieldTicket ticket = this.loops.yieldIfOut();
		if (ticket != null) {
			try {
				this.releases.run();
			}
			finally {
				ticket.close();
			}
		}
	}

}
