package io.ringkernel.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * A request whose response completes a future.
 * <p>
 * Exactly one thread decides what becomes of it, by moving {@link #state} on: the
 * dispatcher that finds the response or the end of its time, a caller of {@code get} or
 * {@code join} that waits for the response by itself, or who cancels it. Stages that
 * depend on the future run on a thread of {@link Completions}, never on the dispatcher's.
 */
final class FutureReply<O> extends CompletableFuture<O> implements Runnable {

	private static final int WAITING = 0;

	/** A caller waits for the response by itself. */
	private static final int SERVED = 1;

	private static final int DECIDED = 2;

	/** Beyond any deadline, and no distance to one wraps. */
	private static final long LONGEST_WAIT_NANOS = Long.MAX_VALUE / 2;

	private static final VarHandle STATE;

	static {
		try {
			STATE = MethodHandles.lookup().findVarHandle(FutureReply.class, "state", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final long deadline;

	private final long timeoutNanos;

	/** Set before the reply is announced. */
	long position;

	private volatile int state = WAITING;

	private volatile @Nullable Thread server;

	/** Dropped once the reply is decided: a future may outlive the ring by far. */
	private volatile @Nullable ResponseReceiver<O> receiver;

	/** Set if nobody has the future: what is told of the outcome instead. */
	private final @Nullable BiConsumer<@Nullable Object, @Nullable Throwable> oneWay;

	private @Nullable O response;

	private @Nullable Throwable failure;

	/** The next one of the dispatcher's list of decided replies. */
	@Nullable FutureReply<?> next;

	FutureReply(ResponseReceiver<O> receiver, long deadline, long timeoutNanos,
			@Nullable BiConsumer<@Nullable Object, @Nullable Throwable> oneWay) {
		this.receiver = receiver;
		this.oneWay = oneWay;
		this.deadline = deadline;
		this.timeoutNanos = timeoutNanos;
	}

	long deadline() {
		return this.deadline;
	}

	long timeoutNanos() {
		return this.timeoutNanos;
	}

	long remaining(long now) {
		return this.deadline - now;
	}

	long since() {
		return this.deadline - this.timeoutNanos;
	}

	boolean isOneWay() {
		return this.oneWay != null;
	}

	boolean isWaiting() {
		return this.state == WAITING;
	}

	/** Whether the present thread alone decides, which waits for the response. */
	boolean isServed() {
		return this.state == SERVED;
	}

	private boolean move(int from, int to) {
		return STATE.compareAndSet(this, from, to);
	}

	// What the dispatcher does.

	/** Takes the response, if the reply still waits. Returns whether that decided it. */
	boolean answer() {
		ResponseReceiver<O> from = this.receiver;
		return from != null && take(from, WAITING);
	}

	/**
	 * Gives the request up because its time has passed, and returns whether that decided
	 * it. The exception is made first: if there is no memory for it, the reply waits on.
	 */
	boolean expire() {
		ResponseReceiver<O> from = this.receiver;
		return from != null && fail(from, from.timedOut(this.timeoutNanos), WAITING);
	}

	/** Fails because the kernel has ended. Returns whether that decided it. */
	boolean end(RuntimeException cause) {
		if (!move(WAITING, DECIDED)) {
			return false;
		}
		this.failure = cause;
		this.receiver = null;
		return true;
	}

	/**
	 * Takes the response. From the compare-and-set on, this thread owns the position, and
	 * notes so with no call in between: whatever fails then, the slot is not lost.
	 */
	private boolean take(ResponseReceiver<O> from, int expected) {
		SlotWaiters waiters = from.waiters();
		long own = this.position;
		int slot = (int) own & (waiters.owned.length - 1);
		if (!move(expected, DECIDED)) {
			return false;
		}
		waiters.owned[slot] = own + 1;
		try {
			waiters.forget(slot, this);
			this.response = from.taker().take(own);
		}
		catch (Throwable ex) {
			// Whatever it is, out of memory included, must reach the one who waits.
			if (waiters.owned[slot] == own + 1) {
				waiters.owned[slot] = 0;
				waiters.givenUp[slot] = own + 1;
			}
			this.failure = ex;
		}
		this.receiver = null;
		return true;
	}

	/** Gives the position up, likewise with no call behind the compare-and-set. */
	private boolean fail(ResponseReceiver<O> from, @Nullable Throwable cause, int expected) {
		SlotWaiters waiters = from.waiters();
		long own = this.position;
		int slot = (int) own & (waiters.givenUp.length - 1);
		if (!move(expected, DECIDED)) {
			return false;
		}
		waiters.givenUp[slot] = own + 1;
		this.failure = cause;
		this.receiver = null;
		waiters.forget(slot, this);
		waiters.wakeDispatcher();
		return true;
	}

	/** Completes the future, and so runs the stages that depend on it. */
	@Override
	public void run() {
		if (this.oneWay != null) {
			this.oneWay.accept(this.response, this.failure);
		}
		else if (this.failure != null) {
			completeExceptionally(this.failure);
		}
		else {
			complete(this.response);
		}
	}

	// What a caller does that waits for this future: it takes the response by itself.

	@Override
	public O get() throws InterruptedException, ExecutionException {
		serve(this.deadline);
		return super.get();
	}

	@Override
	public O get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
		long until = System.nanoTime() + Math.min(LONGEST_WAIT_NANOS, unit.toNanos(Math.max(0, timeout)));
		serve(Deadlines.earlier(this.deadline, until));
		return super.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
	}

	@Override
	public O join() {
		serve(this.deadline);
		return super.join();
	}

	/**
	 * Waits for the response on the calling thread, unless the reply is decided or
	 * another thread waits already. Returns early if the thread is interrupted, or the
	 * future completed by another one; the dispatcher then goes on.
	 */
	private void serve(long until) {
		ResponseReceiver<O> from = this.receiver;
		if (from == null || isDone() || !move(WAITING, SERVED)) {
			return;
		}
		boolean decided = false;
		this.server = Thread.currentThread();
		try {
			decided = serve(from, until);
		}
		finally {
			this.server = null;
			if (!decided && move(SERVED, WAITING)) {
				from.handBack(this);
			}
		}
		if (decided) {
			from.complete(this);
		}
	}

	private boolean serve(ResponseReceiver<O> from, long until) {
		if (from.awaitAnswer(this, until)) {
			return take(from, SERVED);
		}
		return isServed() && Deadlines.hasPassed(this.deadline) && fail(from, from.timedOut(this.timeoutNanos), SERVED);
	}

	void wakeServer() {
		Thread waiting = this.server;
		if (waiting != null) {
			LockSupport.unpark(waiting);
		}
	}

	/**
	 * Withdraws the request when it is cancelled. A thread that waits for the response
	 * may go between two attempts. None begins to wait once the future is done.
	 */
	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		ResponseReceiver<O> from = this.receiver;
		boolean cancelled = super.cancel(mayInterruptIfRunning);
		while (from != null && this.state != DECIDED) {
			if (fail(from, null, WAITING) || fail(from, null, SERVED)) {
				wakeServer();
			}
		}
		return cancelled;
	}

}
