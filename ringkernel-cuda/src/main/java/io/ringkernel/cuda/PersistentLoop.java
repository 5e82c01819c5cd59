package io.ringkernel.cuda;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.CudaException;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that stays, over memory that it reads and writes itself: launched once, and
 * without a thread that sees to it. Who waits for a response has its stream looked at now
 * and then.
 */
final class PersistentLoop extends CudaDeviceLoop {

	/** How often the stream is looked at while somebody waits for a response. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final AtomicLong lookedAt = new AtomicLong(System.nanoTime());

	PersistentLoop(CudaDevice device, LoadedKernel kernel, ControlBlock control) {
		super(device, kernel, control);
	}

	@Override
	void bringUp() {
		launch();
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
	 * Has the stream looked at, if that was not done lately.
	 */
	private void look() {
		long last = this.lookedAt.get();
		long now = System.nanoTime();
		if (mayRun() && now - last > LOOK_NANOS && this.lookedAt.compareAndSet(last, now)) {
			kernel().observe(this::observed);
		}
	}

	/**
	 * Called on the driver's thread. If somebody else is at this loop, that one sees the
	 * stream as well.
	 */
	private void observed(boolean done, @Nullable CudaException fault) {
		if (!(done || fault != null) || !lock().tryLock()) {
			return;
		}
		try {
			if (mayRun() && hasEndedNow() && isDue()) {
				bringUpOrFail();
			}
		}
		finally {
			lock().unlock();
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
