package io.ringkernel.cuda.driver;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that makes the driver's calls for everyone else, who then wait no longer than
 * a deadline. A call whose deadline passes before it began is not made any more; one that
 * is under way cannot be taken back, and until it returns all others fail at once.
 * <p>
 * Handing a call over through sleeping threads costs ten times as much as most calls. So
 * this thread spins for a while before it parks, and a thread that waits for a call spins
 * as long before it parks.
 * <p>
 * The thread starts with the first call and ends when there has been none for a while, so
 * that it does not outlive an application that is redeployed in the process. The next
 * call starts another one.
 */
final class DriverThread {

	private static final Logger logger = LoggerFactory.getLogger(DriverThread.class);

	/**
	 * Longer than most calls take, and longer than the time between two successive calls.
	 * With few cores, neither thread spins.
	 */
	private static final long SPIN_NANOS = (Runtime.getRuntime().availableProcessors() >= 4)
			? TimeUnit.MICROSECONDS.toNanos(30) : 0;

	private static final Duration IDLE = Duration.ofSeconds(10);

	private final String name;

	private final long idleNanos;

	/** Without locks, which the two that hand a call over would take at the same time. */
	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	/**
	 * The thread; {@code null} while there is none. A thread that ends takes itself away
	 * before it looks at the queue for the last time, and whoever has added a task looks
	 * for the thread behind that: with both volatile, one of the two sees the other.
	 */
	private volatile @Nullable Thread thread;

	/** What each thread does first. */
	private volatile Runnable preparation = () -> {
	};

	/**
	 * Whether the thread is to be woken for a task. It is set before the queue is looked
	 * at for the last time, and looked at behind a task that is added: with both
	 * volatile, one of the two sees the other.
	 */
	private volatile boolean asleep;

	private volatile @Nullable Call<?> overdue;

	DriverThread(String name) {
		this(name, IDLE);
	}

	/** Names the thread, which ends when it has waited so long for a call. */
	DriverThread(String name, Duration idle) {
		this.name = name;
		this.idleNanos = idle.toNanos();
	}

	/** Sets what each thread that starts from now on does before its first call. */
	void prepare(Runnable preparation) {
		this.preparation = preparation;
	}

	private synchronized void start() {
		if (this.thread != null) {
			return;
		}
		Thread created = create(this::run, this.name);
		created.setDaemon(true);
		this.thread = created;
		boolean started = false;
		try {
			created.start();
			started = true;
		}
		finally {
			if (!started) {
				this.thread = null;
			}
		}
	}

	/**
	 * A thread that keeps nothing of who happens to need the driver first: it may outlive
	 * an application that is restarted in the process, and would keep its class loader,
	 * as that of its context and in what it inherits of privileges.
	 */
	@SuppressWarnings("removal")
	private static Thread create(Runnable task, String name) {
		Thread created = AccessController
			.doPrivileged((PrivilegedAction<Thread>) () -> new Thread(null, task, name, 0, false));
		created.setContextClassLoader(DriverThread.class.getClassLoader());
		return created;
	}

	private void run() {
		try {
			this.preparation.run();
		}
		catch (RuntimeException ex) {
			logger.warn("{} could not be prepared for its calls, which fail therefore", this.name, ex);
		}
		for (Runnable task = next(); task != null; task = next()) {
			task.run();
		}
	}

	/** The next call; {@code null} if the thread has ended. */
	private @Nullable Runnable next() {
		Runnable task = this.tasks.poll();
		for (long begin = System.nanoTime(); task == null && System.nanoTime() - begin < SPIN_NANOS;) {
			Thread.onSpinWait();
			task = this.tasks.poll();
		}
		return (task != null) ? task : sleep();
	}

	private @Nullable Runnable sleep() {
		this.asleep = true;
		long begin = System.nanoTime();
		Runnable task = this.tasks.poll();
		while (task == null) {
			long left = this.idleNanos - (System.nanoTime() - begin);
			if (left <= 0 && end()) {
				return null;
			}
			LockSupport.parkNanos(this, left);
			// An interrupt has no meaning here, and would keep the thread from parking.
			Thread.interrupted();
			task = this.tasks.poll();
		}
		this.asleep = false;
		return task;
	}

	private synchronized boolean end() {
		Thread ending = this.thread;
		this.thread = null;
		if (!this.tasks.isEmpty()) {
			this.thread = ending;
			return false;
		}
		this.asleep = false;
		return true;
	}

	private void add(Runnable task) {
		this.tasks.add(task);
		Thread running = this.thread;
		if (running != null) {
			if (this.asleep) {
				LockSupport.unpark(running);
			}
			return;
		}
		boolean started = false;
		try {
			start();
			started = true;
		}
		finally {
			if (!started) {
				this.tasks.remove(task);
			}
		}
	}

	/**
	 * Makes a call and waits for it. An interrupt does not end the wait, which the
	 * deadline bounds, but is kept.
	 * @throws CudaDeadlineException if it did not return in time, or an earlier one has
	 * not yet returned
	 */
	<T> T call(String name, Duration deadline, Callable<T> body) {
		return call(name, deadline, body, (late) -> {
		});
	}

	/**
	 * The same for a call whose result goes to {@code late}, on the thread of the driver,
	 * if its caller has given up.
	 */
	<T> T call(String name, Duration deadline, Callable<T> body, Consumer<T> late) {
		if (Thread.currentThread().equals(this.thread)) {
			return unchecked(name, body);
		}
		requireResponsive();
		Call<T> call = new Call<>(name, body, late);
		add(call);
		return await(call, deadline);
	}

	/** Whether calls wait for the one that is under way to return. */
	boolean isAwaited() {
		return !this.tasks.isEmpty();
	}

	/**
	 * Makes a call without waiting for it. Drops it, and returns {@code false}, if an
	 * earlier one is overdue.
	 */
	boolean post(String name, Runnable body) {
		boolean responsive = unreturned() == null;
		if (responsive) {
			add(new Call<>(name, () -> {
				body.run();
				return Boolean.TRUE;
			}, (late) -> {
			}));
		}
		return responsive;
	}

	/** The call that is overdue, until it returns. */
	private @Nullable Call<?> unreturned() {
		Call<?> late = this.overdue;
		return (late != null && !late.returned) ? late : null;
	}

	private void requireResponsive() {
		Call<?> late = unreturned();
		if (late != null) {
			throw late.overdue(false);
		}
	}

	private <T> T await(Call<T> call, Duration deadline) {
		boolean interrupted = false;
		long begin = System.nanoTime();
		long end = begin + deadline.toNanos();
		while (!call.isDone() && System.nanoTime() - begin < SPIN_NANOS) {
			Thread.onSpinWait();
		}
		try {
			while (true) {
				try {
					return call.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
				catch (TimeoutException ex) {
					// One that cannot be cancelled any more has its result by now.
					if (call.cancel(false)) {
						throw late(call, deadline);
					}
				}
			}
		}
		catch (ExecutionException ex) {
			throw propagate(call.name, ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private CudaDeadlineException late(Call<?> call, Duration deadline) {
		if (call.begun > 0) {
			this.overdue = call;
			CudaDeadlineException late = call.overdue(true);
			logger.warn("{} Until it returns, all other calls of the driver fail", late.getMessage());
			return late;
		}
		requireResponsive();
		return new CudaDeadlineException("a call before " + call.name, deadline, false);
	}

	private static <T> T unchecked(String name, Callable<T> body) {
		try {
			return body.call();
		}
		catch (Exception ex) {
			throw propagate(name, ex);
		}
	}

	private static RuntimeException propagate(String name, @Nullable Throwable cause) {
		if (cause instanceof RuntimeException runtime) {
			return runtime;
		}
		if (cause instanceof LinkageError) {
			return new CudaUnavailableException(name + " is missing in the driver's library or in JCuda's",
					"Install a driver for CUDA 12.4 or later, and one version of JCuda only.", cause);
		}
		if (cause instanceof Error error) {
			throw error;
		}
		return new IllegalStateException(name + " failed", cause);
	}

	/**
	 * A call that knows when it began and whether it has returned, which a cancelled
	 * future does not tell.
	 */
	private static final class Call<T> extends FutureTask<T> {

		private final String name;

		private final Consumer<T> late;

		private volatile long begun;

		private volatile boolean returned;

		Call(String name, Callable<T> body, Consumer<T> late) {
			super(body);
			this.name = name;
			this.late = late;
		}

		@Override
		protected void set(T result) {
			super.set(result);
			if (isCancelled()) {
				this.late.accept(result);
			}
		}

		@Override
		public void run() {
			this.begun = Math.max(1, System.nanoTime());
			try {
				super.run();
			}
			finally {
				this.returned = true;
			}
		}

		CudaDeadlineException overdue(boolean made) {
			return new CudaDeadlineException(this.name, Duration.ofNanos(System.nanoTime() - this.begun), made);
		}

	}

}
