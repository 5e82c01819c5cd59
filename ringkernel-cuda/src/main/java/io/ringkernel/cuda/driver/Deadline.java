package io.ringkernel.cuda.driver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.ringkernel.exception.KernelLaunchException;

/**
 * Waits for something that only tells when asked.
 *
 * @since 0.2.0
 */
public final class Deadline {

	private static final long MIN_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final long end;

	private Deadline(long end) {
		this.end = end;
	}

	/**
	 * {@return a deadline}
	 * @param timeout the time from now
	 */
	public static Deadline in(Duration timeout) {
		return new Deadline(System.nanoTime() + timeout.toNanos());
	}

	/**
	 * {@return the nanoseconds that are left; not positive once the time is up}
	 */
	public long remainingNanos() {
		return this.end - System.nanoTime();
	}

	/**
	 * Keeps the interrupt of a thread that waited for the launch of a kernel.
	 * @param id the kernel
	 * @param ex the interrupt
	 * @return what that launch fails with
	 */
	public static KernelLaunchException interrupted(String id, InterruptedException ex) {
		Thread.currentThread().interrupt();
		return new KernelLaunchException(id, "its launch was interrupted. Try again.", ex);
	}

	/**
	 * Waits until a stream is empty on which there are copies and other short work. An
	 * interrupt does not end the wait, since the device still reads or writes, but is
	 * kept.
	 * @param work what is on the stream, for the message
	 * @param context the context of the stream
	 * @param stream the stream
	 * @param patience how long the work may take
	 * @throws CudaDeadlineException if it takes longer
	 */
	public static void await(String work, CudaContext context, CudaStream stream, Duration patience) {
		boolean interrupted = false;
		Deadline deadline = in(patience);
		try {
			while (true) {
				try {
					if (!deadline.await(() -> context.isDone(stream))) {
						throw new CudaDeadlineException(work, patience);
					}
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Asks until the answer is yes or the time is up; at least once.
	 * @param condition the question
	 * @return the last answer
	 * @throws InterruptedException if the thread was interrupted
	 */
	public boolean await(BooleanSupplier condition) throws InterruptedException {
		long park = MIN_PARK_NANOS;
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - this.end >= 0) {
				return false;
			}
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			LockSupport.parkNanos(park);
			park = Math.min(2 * park, MAX_PARK_NANOS);
		}
		return true;
	}

}
