package io.ringkernel.cuda;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device loop as a CUDA kernel that stays.
 * <p>
 * A kernel ends for one of two reasons: somebody wants it to stop, or others are loaded
 * and it yields. Either way it is given the command to stop, and its stream tells when it
 * has ended; one that is still wanted then is launched again, and goes on where it was.
 */
final class CudaDeviceLoop implements DeviceLoop {

	private static final Logger logger = LoggerFactory.getLogger(CudaDeviceLoop.class);

	/** How often the stream is looked at while somebody waits for a response. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final CudaDevice device;

	private final LoadedKernel kernel;

	private final ControlBlock control;

	/**
	 * Guards the fields below, and is held during calls of the driver. The driver's
	 * thread itself only ever tries to take it.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/** Whether it shall run. */
	private volatile boolean wanted;

	/** Whether it yields to a load and must not be launched. */
	private boolean paused;

	/** Whether it has been launched and was not yet seen to have ended. */
	private volatile boolean launched;

	/** Whether it was asked to give back what it holds, once it has ended. */
	private volatile boolean closed;

	private volatile boolean released;

	private volatile @Nullable Throwable failure;

	private final AtomicLong lookedAt = new AtomicLong(System.nanoTime());

	CudaDeviceLoop(CudaDevice device, LoadedKernel kernel, ControlBlock control) {
		this.device = device;
		this.kernel = kernel;
		this.control = control;
	}

	LoadedKernel kernel() {
		return this.kernel;
	}

	boolean isWanted() {
		return this.wanted;
	}

	/**
	 * Whether something of it may be on the device, now or without being asked again.
	 */
	boolean mayRun() {
		return this.launched;
	}

	@Override
	public void start() {
		try {
			this.device.launch(this.kernel, () -> locked(() -> {
				this.wanted = true;
				if (hasEndedNow()) {
					launch();
				}
			}));
		}
		catch (RingKernelException ex) {
			this.wanted = false;
			throw (ex instanceof KernelLaunchException) ? ex
					: new KernelLaunchException(this.kernel.id(), String.valueOf(ex.getMessage()), ex);
		}
	}

	private void launch() {
		this.control.command(Command.RUN);
		this.control.launched();
		this.launched = true;
		try {
			this.kernel.launch();
		}
		catch (CudaDeadlineException ex) {
			// It may still begin: then it finds the command to stop.
			this.control.command(Command.STOP);
			throw ex;
		}
		catch (RingKernelException ex) {
			this.control.command(Command.STOP);
			this.launched = false;
			throw ex;
		}
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
		if (this.launched && now - last > LOOK_NANOS && this.lookedAt.compareAndSet(last, now)) {
			this.kernel.observe(this::observed);
		}
	}

	/**
	 * Called on the driver's thread. If somebody else is at this loop, that one sees the
	 * stream as well.
	 */
	private void observed(boolean done, @Nullable CudaException fault) {
		if (!(done || fault != null) || !this.lock.tryLock()) {
			return;
		}
		try {
			if (fault != null) {
				fail(fault);
			}
			else if (this.launched) {
				ended();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The stream has become empty while nobody waited for that.
	 */
	private void ended() {
		boolean asked = this.control.command() == Command.STOP;
		if (asked && this.wanted && !this.paused) {
			// Launched all the while: nothing is given back between the two launches.
			relaunch();
			return;
		}
		this.launched = false;
		if (!asked) {
			fail(new IllegalStateException(
					"The CUDA kernel '%s' has ended although nobody asked it to. A handler must return to its caller and not exit."
						.formatted(this.kernel.id())));
		}
	}

	private void relaunch() {
		try {
			launch();
		}
		catch (RingKernelException ex) {
			fail(ex);
		}
	}

	private void fail(Throwable cause) {
		if (this.failure == null) {
			this.failure = cause;
		}
		this.wanted = false;
		this.launched = false;
		this.control.command(Command.STOP);
		if (cause instanceof CudaException fault && fault.status().isFatal()) {
			this.device.lose(fault);
		}
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		locked(() -> {
			this.wanted = false;
			this.control.command(Command.STOP);
		});
		boolean stopped = Deadline.in(timeout).await(this::hasEnded);
		if (stopped) {
			this.device.reclaim();
		}
		return stopped;
	}

	/**
	 * Asks the kernel to end for a while.
	 * @return whether it was running, and is to be resumed
	 */
	boolean pause() {
		this.lock.lock();
		try {
			if (!this.launched) {
				return false;
			}
			this.paused = true;
			this.control.command(Command.STOP);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Launches a paused kernel again, if it is still wanted: now, or as soon as it has
	 * ended.
	 */
	void resume() {
		locked(() -> {
			this.paused = false;
			if (this.wanted && hasEndedNow()) {
				relaunch();
			}
		});
	}

	/**
	 * Whether nothing of it is on the device any more.
	 */
	boolean hasEnded() {
		this.lock.lock();
		try {
			return hasEndedNow();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean hasEndedNow() {
		if (!this.launched) {
			return true;
		}
		try {
			if (!this.kernel.isDone()) {
				return false;
			}
		}
		catch (CudaDeadlineException ex) {
			return false;
		}
		catch (CudaException ex) {
			fail(ex);
			return true;
		}
		this.launched = false;
		return true;
	}

	private void locked(Runnable body) {
		this.lock.lock();
		try {
			body.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** A kernel reports a code, which the response carries. */
	@Override
	public @Nullable Throwable takeFailure(int slot) {
		return null;
	}

	@Override
	public @Nullable Throwable failure() {
		look();
		return this.failure;
	}

	/**
	 * A loop that was closed counts as active until it has given back what it holds:
	 * whoever closed it is to close it again.
	 */
	@Override
	public int activeWorkers() {
		look();
		if (!this.launched) {
			return (this.closed && !this.released) ? 1 : 0;
		}
		int active = 0;
		for (int worker = 0; worker < this.control.workers(); worker++) {
			if (this.control.workerState(worker) != WorkerState.OUT) {
				active++;
			}
		}
		return Math.max(1, active);
	}

	@Override
	public void close() {
		locked(() -> {
			this.wanted = false;
			this.control.command(Command.STOP);
			this.closed = true;
			if (!this.released && hasEndedNow()) {
				this.released = true;
				release();
			}
		});
		this.device.reclaim();
	}

	private void release() {
		this.device.remove(this);
		this.device.freeLater(this.kernel.memory().base());
		try {
			this.kernel.context().destroy(this.kernel.stream());
		}
		catch (RingKernelException ex) {
			logger.debug("The stream of ring kernel '{}' could not be destroyed", this.kernel.id(), ex);
		}
	}

}
