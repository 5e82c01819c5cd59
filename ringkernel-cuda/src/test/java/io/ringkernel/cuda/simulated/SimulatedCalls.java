package io.ringkernel.cuda.simulated;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the calls to a simulated device: they are listed, held up, and fail as
 * a test says.
 */
abstract class SimulatedCalls implements CudaContext {

	private final ReentrantLock visit = new ReentrantLock();

	private final List<String> heldUp = new CopyOnWriteArrayList<>();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final Map<String, Runnable> before = new ConcurrentHashMap<>();

	private volatile boolean listsCalls;

	private volatile @Nullable CudaStatus fault;

	private volatile @Nullable CudaStatus outOfTouch;

	private volatile @Nullable CountDownLatch hang;

	private volatile SimulatedPlatform platform = SimulatedPlatform.LINUX;

	public void platform(SimulatedPlatform platform) {
		this.platform = platform;
	}

	SimulatedPlatform platform() {
		return this.platform;
	}

	/**
	 * Has this run in front of each call of a name from now on. The call fails with what
	 * it throws.
	 */
	public void before(String call, Runnable action) {
		this.before.put(call, action);
	}

	/** Breaks the device: kernels end, and every call reports it. */
	public void fault(CudaStatus status) {
		this.fault = status;
	}

	boolean isFaulted() {
		return this.fault != null;
	}

	/** Has every call report an error, while kernels run on. */
	public void loseTouch(CudaStatus status) {
		this.outOfTouch = status;
	}

	/** Has no call return before the latch is released. */
	public void hang(CountDownLatch release) {
		this.hang = release;
	}

	/**
	 * Begins a list of the calls that are made, in their order; a visit to the thread of
	 * the context that makes several calls comes before these.
	 */
	public void listCalls() {
		this.calls.clear();
		this.listsCalls = true;
	}

	public List<String> calls() {
		return List.copyOf(this.calls);
	}

	/** The calls that a running kernel would have held up. */
	public List<String> heldUp() {
		return List.copyOf(this.heldUp);
	}

	/** Whether a kernel runs, or anything else waits on a stream. */
	public abstract boolean isBusy();

	abstract void awaitStreams();

	private void list(String call) {
		if (this.listsCalls) {
			this.calls.add(call);
		}
	}

	static CudaException failed(String call, int code, String name) {
		return new CudaException(call, new CudaStatus(code, name));
	}

	/** A call that a running kernel does not hold up, unless the platform does. */
	final void check(String call) {
		list(call);
		awaitRelease();
		CudaStatus broken = isFaulted() ? this.fault : this.outOfTouch;
		if (broken != null) {
			throw new CudaException(call, broken);
		}
		this.before.getOrDefault(call, () -> {
		}).run();
		if (!this.platform.worksBeside()) {
			awaitStreams();
		}
	}

	/** A call that a running kernel holds up. */
	final void checkIdle(String call) {
		check(call);
		if (isBusy()) {
			this.heldUp.add(call);
			throw new IllegalStateException(call + " would be held up by a running kernel");
		}
	}

	private void awaitRelease() {
		CountDownLatch release = this.hang;
		if (release != null) {
			try {
				if (!release.await(60, TimeUnit.SECONDS)) {
					throw new IllegalStateException("a simulated hang was not ended");
				}
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException("nobody interrupts a simulated driver", ex);
			}
		}
	}

	/** Whoever makes the calls takes the place of the context's thread meanwhile. */
	@Override
	public <T> T perform(String what, Supplier<T> calls) {
		list(what);
		this.visit.lock();
		try {
			return calls.get();
		}
		finally {
			this.visit.unlock();
		}
	}

	@Override
	public boolean post(String what, Runnable calls) {
		this.visit.lock();
		try {
			calls.run();
		}
		finally {
			this.visit.unlock();
		}
		return true;
	}

	@Override
	public boolean isAwaited() {
		return false;
	}

	/** Whoever makes the calls waits for them. */
	@Override
	public void requirePatience(Duration patience) {
	}

	/** Whoever makes the calls waits for them. */
	@Override
	public void releaseLateResults(Consumer<Runnable> later) {
	}

}
