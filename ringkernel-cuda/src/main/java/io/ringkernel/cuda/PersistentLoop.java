package io.ringkernel.cuda;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.cuda.driver.CudaException;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that stays, over memory that it reads and writes itself. It is launched once
 * and needs no thread of the host. A thread that waits for a response has the driver's
 * thread look at the stream from time to time.
 */
final class PersistentLoop extends CudaDeviceLoop {

	/** How often the stream is looked at while a thread waits for a response. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final AtomicLong lookedAt = new AtomicLong(System.nanoTime());

	/** When the driver was first asked without having answered; 0 if it has. */
	private volatile long askedAt;

	private final SilentKernel silence;

	private final Duration patience;

	PersistentLoop(CudaDevice device, LoadedKernel kernel, KernelRegion region) {
		super(device, kernel, region.control());
		this.patience = device.patience();
		this.silence = new SilentKernel(region, device.patienceWithSilence());
	}

	@Override
	void bringUp() {
		this.silence.begin();
		launch();
	}

	@Override
	void goOn() {
		locked(() -> {
			if (hasEndedNow() && isDue()) {
				bringUp();
			}
		});
	}

	@Override
	void lookForEnd() {
		if (this.askedAt == 0) {
			ask(System.nanoTime());
		}
		else {
			look();
		}
	}

	@Override
	boolean isLooking() {
		return this.askedAt != 0;
	}

	@Override
	void endedByItself() {
		fail(ending(kernel().id()));
	}

	static IllegalStateException ending(String id) {
		return new IllegalStateException(
				"The CUDA kernel '%s' has ended although nobody asked it to. A handler must return to its caller and not exit."
					.formatted(id));
	}

	@Override
	void onRelease() {
	}

	/** A persistent kernel polls all the time. */
	@Override
	public void doorbell() {
	}

	@Override
	public void nudge() {
		look();
	}

	/**
	 * Has the stream looked at, if that was not done lately, and looks itself whether the
	 * kernel and the driver show any life. For neither is the driver called here.
	 */
	private void look() {
		long last = this.lookedAt.get();
		long now = System.nanoTime();
		if (mayRun() && now - last > LOOK_NANOS && this.lookedAt.compareAndSet(last, now)) {
			if (now - last < this.patience.toNanos()) {
				checkDriver(now);
			}
			else {
				// No thread has looked for long, or the whole process was held up.
				this.askedAt = 0;
			}
			if (this.silence.lasts(now)) {
				giveUp("the kernel has answered nothing and given no sign of life for %s"
					.formatted(this.silence.patience()));
			}
			ask(now);
		}
	}

	private void ask(long now) {
		if (this.askedAt == 0) {
			this.askedAt = Math.max(1, now);
		}
		kernel().observe(this::observed);
	}

	/**
	 * A driver that does not return while a kernel runs is of no use to any other.
	 */
	private void checkDriver(long now) {
		long asked = this.askedAt;
		if (asked != 0 && now - asked > this.patience.toNanos()) {
			giveUp("the driver has not returned for %s while the kernel ran".formatted(this.patience));
		}
	}

	private void giveUp(String why) {
		if (lock().tryLock()) {
			try {
				abandon(why);
			}
			finally {
				lock().unlock();
			}
		}
	}

	/**
	 * Called on the driver's thread. If another thread holds the lock, that thread sees
	 * the end of the stream as well.
	 */
	private void observed(boolean done, @Nullable CudaException fault) {
		try {
			if (done || fault != null) {
				noteEnd();
			}
		}
		finally {
			this.askedAt = 0;
		}
	}

	private void noteEnd() {
		if (lock().tryLock()) {
			try {
				if (mayRun() && hasEndedNow() && isDue()) {
					bringUpOrFail();
				}
			}
			finally {
				lock().unlock();
			}
		}
	}

	@Override
	public @Nullable Throwable failure() {
		look();
		return super.failure();
	}

	@Override
	public int activeWorkers() {
		look();
		return super.activeWorkers();
	}

}
