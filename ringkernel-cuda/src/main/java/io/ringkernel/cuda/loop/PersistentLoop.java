package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.cuda.load.LoadedKernel;

/**
 * A kernel that stays, over memory that it reads and writes itself. It is launched once
 * and needs no thread of the host. A thread that waits for a response looks at the lines
 * of the workers from time to time, and now and then has the driver's thread look at the
 * stream: a fault shows there alone.
 */
final class PersistentLoop implements LaunchStrategy {

	/** How often a thread that waits for a response looks. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** How often the stream is looked at meanwhile. */
	private static final long QUERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** How often the stream is looked at for a thread that waits for the end. */
	private static final long END_QUERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** How long the driver is given once the workers have told that they have ended. */
	private static final long DRIVER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private final LoadedKernel kernel;

	private final LaunchProgress progress;

	private final Launcher launcher;

	private final LoopFailure failure;

	private final SilentKernel silence;

	private final Duration patience;

	private final AtomicLong lookedAt = new AtomicLong(System.nanoTime());

	/** When the driver was last asked. */
	private volatile long queriedAt = System.nanoTime();

	/** When the driver was first asked without having answered; 0 if it has. */
	private volatile long askedAt;

	PersistentLoop(LoadedKernel kernel, LaunchProgress progress, Launcher launcher, LoopFailure failure,
			SilentKernel silence, Duration patience) {
		this.kernel = kernel;
		this.progress = progress;
		this.launcher = launcher;
		this.failure = failure;
		this.silence = silence;
		this.patience = patience;
	}

	@Override
	public void bringUp() {
		this.launcher.visit(() -> {
			this.silence.begin();
			return true;
		});
	}

	@Override
	public void onEnd(boolean byItself) {
		if (byItself) {
			this.failure.note(new IllegalStateException(
					"The CUDA kernel '%s' has ended although nobody asked it to. A handler must return to its caller and not exit."
						.formatted(this.kernel.id())));
		}
		else if (this.progress.state() == LaunchState.DUE
				&& !this.kernel.context().post("cuLaunchKernel", () -> this.failure.noting(this::bringUp))) {
			this.failure.abandon("the driver has not returned, and cannot launch the kernel again");
		}
	}

	@Override
	public void lookForEnd() {
		look();
		queryAfter(END_QUERY_NANOS, System.nanoTime());
	}

	@Override
	public boolean isLooking() {
		return this.askedAt != 0;
	}

	@Override
	public void look() {
		long last = this.lookedAt.get();
		long now = System.nanoTime();
		if (!this.progress.state().isOnDevice() || now - last <= LOOK_NANOS
				|| !this.lookedAt.compareAndSet(last, now)) {
			return;
		}
		if (now - last < this.patience.toNanos()) {
			checkDriver(now);
		}
		else {
			// No thread has looked for long, or the whole process was held up.
			this.askedAt = 0;
		}
		if (this.silence.lasts(now)) {
			this.failure.abandon("the kernel has answered nothing and given no sign of life for %s"
				.formatted(this.silence.patience()));
		}
		queryAfter(QUERY_NANOS, now);
	}

	/**
	 * A driver that does not return while a kernel runs is of no use to any other. The
	 * workers of the kernel tell of its end all the same.
	 */
	private void checkDriver(long now) {
		long asked = this.askedAt;
		if (asked == 0) {
			return;
		}
		if (now - asked > DRIVER_NANOS && this.launcher.trustWorkers()) {
			this.askedAt = 0;
		}
		else if (now - asked > this.patience.toNanos()) {
			this.failure.abandon("the driver has not returned for %s while the kernel ran".formatted(this.patience));
		}
	}

	private void queryAfter(long nanos, long now) {
		if (this.askedAt == 0 && (this.launcher.haveWorkersEnded() || now - this.queriedAt > nanos)) {
			this.queriedAt = now;
			this.askedAt = Math.max(1, now);
			this.kernel.context().post("cuStreamQuery", this::answered);
		}
	}

	/** Called on the driver's thread. */
	private void answered() {
		try {
			this.failure.noting(this.launcher::look);
		}
		finally {
			this.askedAt = 0;
		}
	}

	/** A persistent kernel polls all the time. */
	@Override
	public void doorbell() {
	}

	@Override
	public void close() {
	}

}
