package io.ringkernel.cuda.loop;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.ringkernel.control.Command;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.loop.LaunchState.Event;
import io.ringkernel.cuda.transport.RingTransport;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.ring.WaitStrategy;

/**
 * Launches a kernel, and sees that a launch has ended. Both happen on the driver's thread
 * only, one after another; any thread asks for it.
 * <p>
 * There are two proofs that a launch has ended. The stream of the kernel is empty; or,
 * over memory that the device reaches itself, every worker has told so by its last store.
 * The second one needs no driver. A kernel that has ended by a fault gives neither: the
 * status of its stream tells.
 */
final class Launcher {

	/** How long a stream may take to be empty after the last store of the last worker. */
	private static final long STRAGGLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** What a visit to the driver's thread has come to. */
	enum Visit {

		/** The kernel has not ended. */
		RUNS,

		/** The kernel has been launched. */
		LAUNCHED,

		/** The kernel has ended, and was not launched. */
		OUT

	}

	private final LoadedKernel kernel;

	private final LaunchProgress progress;

	private final CudaLoop listener;

	private final IdleTime idleTime;

	/** The number of the launch that the driver has taken last. */
	private volatile long taken;

	/** Whether the launch at hand has put the kernel on its stream. */
	private boolean onStream;

	Launcher(LoadedKernel kernel, LaunchProgress progress, CudaLoop listener, IdleTime idleTime) {
		this.kernel = kernel;
		this.progress = progress;
		this.listener = listener;
		this.idleTime = idleTime;
	}

	/**
	 * Sees whether the kernel has ended and, if it is due then, launches it: in one
	 * visit, so that nothing is handed over between the moment that it is needed and the
	 * launch.
	 * @param needed tells, on the driver's thread, whether to launch; it may wait for
	 * that as long as no other thread waits for the driver
	 * @throws RingKernelException if the driver refuses, or reports a fault
	 */
	Visit visit(BooleanSupplier needed) {
		boolean wasOnDevice = this.progress.state().isOnDevice();
		long launch = this.progress.launch();
		try {
			return context().perform(
					this.kernel.transport().carries() ? "cuLaunchKernel, with its copies" : "cuLaunchKernel",
					() -> visitNow(needed));
		}
		catch (CudaDeadlineException ex) {
			if (!wasOnDevice || launch != this.progress.launch()) {
				// The launch may still begin: then it finds the command to stop.
				throw ex;
			}
			return trustWorkers() ? Visit.OUT : Visit.RUNS;
		}
	}

	/**
	 * The same without a launch; called on the driver's thread.
	 * @throws RingKernelException if the driver reports a fault
	 */
	void look() {
		visitNow(() -> false);
	}

	private Visit visitNow(BooleanSupplier needed) {
		if (!hasEnded()) {
			return Visit.RUNS;
		}
		return (needed.getAsBoolean() && launch(Event.LAUNCH, LaunchState.DUE)) ? Visit.LAUNCHED : Visit.OUT;
	}

	/**
	 * Launches a kernel that has yielded, with the command to stop, which has it end at
	 * once; returns whether it has in time. Nothing follows on its stream before that.
	 */
	boolean tryOut(Deadline deadline) throws InterruptedException {
		context().perform("cuLaunchKernel", () -> launch(Event.TRY, LaunchState.YIELDED));
		return deadline.await(() -> visit(() -> false) == Visit.OUT);
	}

	private boolean launch(Event event, LaunchState from) {
		if (this.progress.apply(event) != from) {
			return false;
		}
		long launch = this.progress.launch();
		boolean over;
		this.onStream = false;
		try {
			over = this.kernel.transport().launch(() -> {
				this.kernel.control().launched();
				this.kernel.launch(this.idleTime.next(System.nanoTime()));
				this.onStream = true;
			});
		}
		catch (RingKernelException ex) {
			if (!this.onStream) {
				this.progress.ended(launch);
			}
			throw ex;
		}
		finally {
			this.taken = launch;
		}
		this.progress.apply(Event.LAUNCHED);
		if (over) {
			conclude(launch);
		}
		return true;
	}

	private boolean hasEnded() {
		long launch = this.progress.launch();
		if (!this.progress.state().isOnDevice()) {
			return true;
		}
		// The stream is looked at behind the workers: one of them may have met a fault.
		boolean told = haveWorkersEnded();
		if (!this.kernel.isDone()) {
			if (!told) {
				return false;
			}
			awaitStragglers();
		}
		conclude(launch);
		return !this.progress.state().isOnDevice();
	}

	private void awaitStragglers() {
		long begin = System.nanoTime();
		for (int round = 1; !this.kernel.isDone() && System.nanoTime() - begin < STRAGGLE_NANOS; round++) {
			WaitStrategy.YIELD.pause(round);
		}
	}

	private void conclude(long launch) {
		this.idleTime.ended(System.nanoTime());
		this.kernel.transport().afterEnd();
		end(launch);
	}

	private void end(long launch) {
		LaunchState before = this.progress.ended(launch);
		if (before != null) {
			this.listener.ended(before.command() == Command.RUN);
		}
	}

	/**
	 * Whether every worker of the launch at hand has told that it has ended. Over a
	 * bridge, the answer is always no.
	 */
	boolean haveWorkersEnded() {
		return this.taken == this.progress.launch() && this.progress.state().isOnDevice()
				&& this.kernel.control().allHaveEnded();
	}

	/**
	 * Where the driver does not return: takes the word of the workers that the kernel has
	 * ended, if they have given it.
	 */
	boolean trustWorkers() {
		long launch = this.progress.launch();
		boolean ended = haveWorkersEnded();
		if (ended) {
			end(launch);
		}
		return ended;
	}

	/** Applies an event, and has a kernel that runs find the command that comes of it. */
	void tell(Event event) {
		this.progress.apply(event);
		LaunchState state = this.progress.state();
		if (state.isOnDevice() && state.command() == Command.STOP) {
			sendCommand();
		}
	}

	/** Stops a kernel that has failed. It is told once: to tell it may fail as well. */
	void stop() {
		if (this.progress.apply(Event.STOP).command() == Command.RUN) {
			sendCommand();
		}
	}

	private void sendCommand() {
		RingTransport transport = this.kernel.transport();
		if (transport.carries()) {
			context().post("a command", () -> {
				try {
					transport.onCommand();
				}
				catch (RingKernelException ex) {
					this.listener.failed(ex);
				}
			});
		}
	}

	private CudaContext context() {
		return this.kernel.context();
	}

}
