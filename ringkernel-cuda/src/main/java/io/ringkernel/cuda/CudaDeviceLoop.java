package io.ringkernel.cuda;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.KernelStuckException;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaException;
import org.jspecify.annotations.Nullable;

/**
 * The device loop as a CUDA kernel: what all of them have in common, whenever they are
 * launched and however their bytes travel.
 * <p>
 * A kernel is asked to end for one of two reasons: it is to stop, or it yields while
 * another kernel is loaded. Either way it is given the command to stop, and its stream
 * tells when it has ended; one that is still wanted then is brought up again, and goes on
 * where it was.
 */
abstract class CudaDeviceLoop implements DeviceLoop {

	/** What has come of a launch. */
	private enum Launch {

		/** It was not needed. */
		NONE,

		/** The kernel is on its stream. */
		RUNS,

		/** The kernel has ended already. */
		OVER

	}

	/** Far longer than a driver takes to answer that no kernel blocks. */
	private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final CudaDevice device;

	private final LoadedKernel kernel;

	private final ControlBlock control;

	/**
	 * Guards the fields below, and is held during calls of the driver. The driver's
	 * thread itself only ever tries to take it. Fair, because a watcher takes it again
	 * and again.
	 */
	private final ReentrantLock lock = new ReentrantLock(true);

	/** Whether it shall run. */
	private volatile boolean wanted;

	/** Whether it yields and must not be launched. */
	private volatile boolean paused;

	/** Whether it has been launched and was not yet seen to have ended. */
	private volatile boolean launched;

	/** Whether the launch at hand has put the kernel on its stream. */
	private boolean onStream;

	/** Whether it was asked to give back what it holds, once it has ended. */
	private volatile boolean closed;

	private volatile boolean released;

	/** Set once nothing more is to be expected of it. */
	private volatile @Nullable Throwable failure;

	/** What is to be the failure once the kernel has ended. */
	private @Nullable PlanFailedException abandoned;

	CudaDeviceLoop(CudaDevice device, LoadedKernel kernel, ControlBlock control) {
		this.device = device;
		this.kernel = kernel;
		this.control = control;
	}

	final LoadedKernel kernel() {
		return this.kernel;
	}

	final CudaContext context() {
		return this.device.context();
	}

	final RingTransport transport() {
		return this.kernel.transport();
	}

	final ReentrantLock lock() {
		return this.lock;
	}

	final boolean isWanted() {
		return this.wanted;
	}

	/**
	 * Whether something of it may be on the device now.
	 */
	final boolean mayRun() {
		return this.launched;
	}

	/**
	 * Whether it may be launched; called with the lock held.
	 */
	final boolean isDue() {
		return this.wanted && !this.paused && !this.launched;
	}

	/**
	 * Called with the lock held, on a loop that is due: launches the kernel, or sees to
	 * it that it is launched as soon as it is needed.
	 * @throws RingKernelException if the driver refuses
	 */
	abstract void bringUp();

	/**
	 * Called once it is wanted, or no longer paused: brings it up, now or as soon as it
	 * has ended.
	 * @throws RingKernelException if the driver refuses
	 */
	abstract void goOn();

	/**
	 * Has another thread look at the stream soon, so that a wait for the end of the
	 * kernel is bounded whatever the driver does.
	 */
	abstract void lookForEnd();

	/**
	 * Whether the look that was asked for may still come to an end.
	 */
	abstract boolean isLooking();

	/**
	 * Called with the lock held: the kernel has ended although it was not asked to.
	 */
	abstract void endedByItself();

	/**
	 * Called once, when everything is about to be given back.
	 */
	abstract void onRelease();

	@Override
	public void start() {
		try {
			this.device.launch(this.kernel, new Start());
		}
		catch (PlanFailedException | KernelStuckException ex) {
			this.wanted = false;
			throw ex;
		}
		catch (CudaException ex) {
			this.wanted = false;
			if (FaultVerdict.of(this.kernel.id(), ex, "").failure() instanceof PlanFailedException failed) {
				throw failed;
			}
			throw new KernelLaunchException(this.kernel.id(), String.valueOf(ex.getMessage()), ex);
		}
		catch (RingKernelException ex) {
			this.wanted = false;
			throw (ex instanceof KernelLaunchException) ? ex
					: new KernelLaunchException(this.kernel.id(), String.valueOf(ex.getMessage()), ex);
		}
	}

	/**
	 * Launches the kernel; called with the lock held, on a loop that is due.
	 */
	final void launch() {
		launchOnce(() -> true);
	}

	/**
	 * The same if and when it is needed: all in one visit to the driver's thread, so that
	 * nothing is handed over between the moment that it is needed and the launch.
	 * @param needed tells, on the driver's thread, whether to launch; it may wait for
	 * that as long as no other thread waits for the driver
	 * @return whether it was launched
	 */
	final boolean launchOnce(BooleanSupplier needed) {
		Launch launch;
		this.onStream = false;
		try {
			launch = context().perform(transport().isCarried() ? "cuLaunchKernel, with its copies" : "cuLaunchKernel",
					() -> needed.getAsBoolean() ? launchNow() : Launch.NONE);
		}
		catch (CudaDeadlineException ex) {
			// It may still begin: then it finds the command to stop.
			this.launched = true;
			this.control.command(Command.STOP);
			throw ex;
		}
		catch (RingKernelException ex) {
			this.control.command(Command.STOP);
			this.launched = this.onStream;
			throw ex;
		}
		if (launch == Launch.OVER) {
			ended();
		}
		return launch != Launch.NONE;
	}

	private Launch launchNow() {
		this.control.command(Command.RUN);
		this.launched = true;
		boolean over = transport().launch(() -> {
			this.control.launched();
			this.kernel.launch();
			this.onStream = true;
		}, () -> this.wanted && !this.paused && !this.lock.hasQueuedThreads());
		return over ? Launch.OVER : Launch.RUNS;
	}

	/**
	 * Asks a kernel that may run to end.
	 */
	private void tellToStop() {
		this.control.command(Command.STOP);
		if (this.launched) {
			transport().onCommand();
		}
	}

	/**
	 * The stream is empty: nothing of the kernel is on the device any more. Called with
	 * the lock held, once per launch.
	 */
	final void ended() {
		boolean asked = this.control.command() == Command.STOP;
		transport().afterEnd();
		this.launched = false;
		if (this.abandoned != null) {
			breakDown(this.abandoned);
		}
		else if (!asked) {
			endedByItself();
		}
	}

	/**
	 * Notes that the loop is broken. Where the driver merely refuses, or does not return,
	 * another plan may do.
	 */
	final void fail(Throwable cause) {
		FaultVerdict verdict = FaultVerdict.of(this.kernel.id(), cause, hintAtDelay());
		if (verdict.isDeviceLost()) {
			this.launched = false;
			this.device.lose(cause);
		}
		if (verdict.kind() == FaultVerdict.Kind.PLAN_FAILED) {
			abandon((PlanFailedException) verdict.failure());
		}
		else {
			breakDown(verdict.failure());
		}
	}

	/**
	 * What is to be said of a driver that has not returned in time: nothing, or a clause.
	 */
	String hintAtDelay() {
		return "";
	}

	/**
	 * Gives the plan up, because the platform does not do what it relies on: has the
	 * kernel end, and reports that as the failure once it is known to have ended. Until
	 * then its requests stay where they are: another loop must not touch them.
	 */
	final void abandon(String why) {
		abandon(new PlanFailedException(this.kernel.id(), why, null));
	}

	private void abandon(PlanFailedException why) {
		if (this.abandoned != null || this.failure != null) {
			return;
		}
		this.abandoned = why;
		this.wanted = false;
		this.control.command(Command.STOP);
		if (!this.launched) {
			breakDown(this.abandoned);
		}
	}

	private void breakDown(Throwable cause) {
		if (this.failure == null) {
			this.failure = cause;
		}
		this.wanted = false;
		this.control.command(Command.STOP);
	}

	/**
	 * Gives everything that it holds to a loop that goes on with it under another policy.
	 * @return what it was launched with
	 */
	final LoadedKernel surrender() {
		this.lock.lock();
		try {
			if (this.launched || this.released) {
				throw new IllegalStateException("a loop that runs, or is closed, has nothing to surrender");
			}
			this.wanted = false;
			this.closed = true;
			this.released = true;
			onRelease();
			this.device.remove(this);
			return this.kernel;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * May time out while another thread holds the lock during a driver call. The kernel
	 * is not launched again then. It finds the command if it reads commands from host
	 * memory.
	 */
	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		Deadline deadline = Deadline.in(timeout);
		this.wanted = false;
		if (!tellToStopBy(deadline)) {
			this.control.command(Command.STOP);
			return false;
		}
		boolean stopped = deadline.await(this::isSeenToHaveEnded);
		if (stopped) {
			settle();
			this.device.reclaim();
		}
		return stopped;
	}

	private boolean tellToStopBy(Deadline deadline) throws InterruptedException {
		if (!this.lock.tryLock(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS)) {
			return false;
		}
		try {
			tellToStop();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether nothing of it is on the device any more, as far as that is known; if not,
	 * it will be soon. Waits for nothing.
	 */
	final boolean isSeenToHaveEnded() {
		if (this.launched) {
			lookForEnd();
		}
		return !this.launched;
	}

	/**
	 * Has the host see what the workers have told so far.
	 */
	final void settle() {
		locked(() -> {
			if (this.failure == null && !this.released) {
				try {
					transport().settle();
				}
				catch (RingKernelException ex) {
					fail(ex);
				}
			}
		});
	}

	/**
	 * Whether it would have to be paused for the device to be idle.
	 */
	final boolean isInUse() {
		return this.wanted || this.launched;
	}

	/**
	 * Asks the kernel to end, and not to be launched, until it is resumed.
	 * @return whether it was asked before the deadline
	 */
	final boolean pause(Deadline deadline) throws InterruptedException {
		this.paused = true;
		return tellToStopBy(deadline);
	}

	/**
	 * Sees to it that nothing of a kernel is launched that is not on the device now.
	 * @return whether it is to be resumed; {@code false} if it may run
	 */
	final boolean pauseIfOut() {
		if (!this.lock.tryLock()) {
			return false;
		}
		try {
			if (this.launched) {
				return false;
			}
			this.paused = true;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Brings a paused kernel up again, if it is still wanted: now, or as soon as it has
	 * ended.
	 */
	final void resume() {
		this.paused = false;
		if (this.wanted) {
			try {
				goOn();
			}
			catch (RingKernelException ex) {
				locked(() -> fail(ex));
			}
		}
	}

	final void bringUpOrFail() {
		try {
			bringUp();
		}
		catch (RingKernelException ex) {
			fail(ex);
		}
	}

	/**
	 * Whether nothing of it is on the device any more; called with the lock held.
	 */
	final boolean hasEndedNow() {
		if (!this.launched) {
			return true;
		}
		try {
			if (!this.kernel.isDone()) {
				return false;
			}
			ended();
		}
		catch (CudaDeadlineException ex) {
			return false;
		}
		catch (CudaException ex) {
			fail(ex);
			return !this.launched;
		}
		return true;
	}

	final void locked(Runnable body) {
		this.lock.lock();
		try {
			body.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public @Nullable Throwable failure() {
		return this.failure;
	}

	/**
	 * A loop that was closed counts as active until it has given back what it holds. Its
	 * owner closes it again.
	 */
	@Override
	public int activeWorkers() {
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
	public long deviceMemoryBytes() {
		return this.released ? 0 : this.kernel.memory().bytes();
	}

	@Override
	public Map<String, Object> launchParameters() {
		return kernel().describe();
	}

	@Override
	public long clockHertz() {
		return this.device.properties().clockHertz();
	}

	@Override
	public void close() {
		this.wanted = false;
		this.closed = true;
		awaitLook();
		if (this.lock.tryLock()) {
			try {
				tellToStop();
				if (!this.released && !this.launched) {
					this.released = true;
					release();
				}
			}
			finally {
				this.lock.unlock();
			}
		}
		this.device.reclaim();
	}

	/**
	 * Gives a kernel that has ended the time to be seen to have.
	 */
	private void awaitLook() {
		if (isSeenToHaveEnded()) {
			return;
		}
		long begin = System.nanoTime();
		while (this.launched && isLooking() && System.nanoTime() - begin < LONGEST_LOOK_NANOS) {
			LockSupport.parkNanos(LONGEST_LOOK_NANOS / 1_000);
		}
	}

	private void release() {
		onRelease();
		this.device.remove(this);
		if (this.kernel.graph() != null) {
			this.device.destroyLater(this.kernel.graph());
		}
		this.device.freeLater(this.kernel.memory().base());
		transport().release();
		this.device.destroyLater(this.kernel.stream());
	}

	/**
	 * The start of this loop, as far as its place on the device goes.
	 */
	private final class Start implements CoResidency.Starting {

		@Override
		public void launch() {
			CudaDeviceLoop.this.wanted = true;
			goOn();
		}

		@Override
		public void settle() {
			CudaDeviceLoop.this.settle();
		}

		@Override
		public boolean isBroken() {
			return failure() != null;
		}

		@Override
		public void withdraw() {
			CudaDeviceLoop.this.wanted = false;
		}

	}

}
