package io.ringkernel.cuda.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long the host waits for a device and its kernels.
 *
 * @since 0.2.0
 */
public final class DeviceTimings {

	/**
	 * Longer than a caller takes from a response to its next request, which then wakes no
	 * thread. With few cores no thread spins.
	 */
	private volatile long spinNanos = (Runtime.getRuntime().availableProcessors() >= 4)
			? TimeUnit.MICROSECONDS.toNanos(50) : 0;

	/** A driver that works answers within microseconds, a kernel within milliseconds. */
	private volatile Duration patience = Duration.ofSeconds(10);

	/** How long the driver may take to answer while a kernel runs. */
	public Duration patience() {
		return this.patience;
	}

	/**
	 * How long a kernel that was launched may show no sign of life while requests wait:
	 * less than those have by default.
	 */
	public Duration patienceWithSilence() {
		return this.patience.dividedBy(3);
	}

	public void patience(Duration patience) {
		this.patience = patience;
	}

	/** How long a thread spins after its last event before it parks. */
	public long spinNanos() {
		return this.spinNanos;
	}

	public void spinNanos(long nanos) {
		this.spinNanos = nanos;
	}

}
