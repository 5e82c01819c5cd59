package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Has the state of a kernel saved again and again, on a thread that exists while the
 * kernel is launched. Begun and ended by one thread at a time.
 */
final class SnapshotTimer {

	private final String kernelId;

	private @Nullable ScheduledExecutorService running;

	SnapshotTimer(String kernelId) {
		this.kernelId = kernelId;
	}

	/** Ends what runs and begins anew, with what saves the state and throws nothing. */
	@SuppressWarnings("FutureReturnValueIgnored") // the task tells itself what fails
	void begin(Duration every, Runnable saving) {
		end();
		ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "ringkernel-" + this.kernelId + "-snapshots");
			thread.setDaemon(true);
			return thread;
		});
		this.running = begun;
		begun.scheduleWithFixedDelay(saving, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** A snapshot that waits for the kernel finds that it has ended. */
	void end() {
		ScheduledExecutorService ended = this.running;
		if (ended != null) {
			ended.shutdown();
			this.running = null;
		}
	}

}
