package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.WaitStrategy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that watches the ring for everyone who does not: it hands responses to
 * parked callers and futures, watches the deadlines of the latter, withdraws what was
 * given up, and nudges the loop when nothing moves. It sleeps while there is nothing to
 * watch.
 * <p>
 * <strong>No wakeup is lost.</strong> Who registers a reply stores it and then reads
 * {@link #parked}; this thread sets {@code parked} and then looks for replies once more.
 * All four are volatile, so one of the two sees the other.
 */
final class Delivery implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Delivery.class);

	/**
	 * What a device does not answer within spinning and yielding is worth a short sleep.
	 */
	private static final long MIN_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long MAX_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

	/** A thread that spins tends the loop when these bits of the round are all set. */
	private static final int TEND_MASK = 63;

	private final HostRing ring;

	private final DeviceLoop loop;

	private final PendingReplies replies;

	private final Runnable onLoopBroken;

	private final WaitStrategy waitStrategy;

	private final Thread thread;

	private final PendingReplies.Visitor visitor = this::visit;

	private volatile boolean parked;

	private volatile boolean closed;

	private int watched;

	private boolean progressed;

	private long now;

	private long nearestDeadline;

	/** Whether a future is being completed, whose dependent stages run on this thread. */
	private boolean completing;

	/** Futures that were decided meanwhile. */
	private final Deque<FutureReply<?>> postponed = new ArrayDeque<>();

	Delivery(String kernelId, HostRing ring, DeviceLoop loop, PendingReplies replies, WaitStrategy waitStrategy,
			Runnable onLoopBroken) {
		this.ring = ring;
		this.loop = loop;
		this.replies = replies;
		this.waitStrategy = waitStrategy;
		this.onLoopBroken = onLoopBroken;
		this.thread = new DeliveryThread(this, "ringkernel-" + kernelId + "-delivery");
	}

	void start() {
		this.thread.start();
	}

	/**
	 * The delivery that the current thread runs, of whichever kernel. Such a thread runs
	 * stages that depend on futures; it must not wait for what another one delivers,
	 * which may be waiting for it.
	 */
	static @Nullable Delivery ofCurrentThread() {
		return (Thread.currentThread() instanceof DeliveryThread thread) ? thread.delivery : null;
	}

	boolean isCurrentThread() {
		return this.thread.equals(Thread.currentThread());
	}

	/**
	 * Makes sure that a change which was just made is seen.
	 */
	void wake() {
		if (this.parked) {
			LockSupport.unpark(this.thread);
		}
	}

	@Override
	public void run() {
		int round = 0;
		while (!this.closed) {
			try {
				round = deliver(round);
			}
			catch (Throwable ex) {
				// Out of memory, at worst. Those who wait depend on this thread: it goes
				// on.
				logger.error("The delivery of responses failed; it goes on", ex);
			}
		}
		scan();
		this.replies.endAll();
	}

	/**
	 * Looks once, and pauses if there was nothing.
	 * @return how many looks in a row there was nothing
	 */
	private int deliver(int round) {
		// A stage may have left it set; it means nothing to this thread, which would
		// never sleep.
		Thread.interrupted();
		scan();
		if (this.progressed) {
			return 0;
		}
		if ((round & TEND_MASK) == TEND_MASK && this.watched > 0) {
			tend();
		}
		if (!pause(round)) {
			if (this.watched == 0) {
				park();
				return 0;
			}
			rest(round);
		}
		return round + 1;
	}

	private boolean pause(int round) {
		// Without anything to watch, even a strategy that never parks does.
		return ((this.watched > 0) ? this.waitStrategy : WaitStrategy.BACK_OFF).pause(round);
	}

	private void park() {
		this.parked = true;
		scan();
		if (this.watched == 0 && !this.progressed && !this.closed) {
			LockSupport.park(this);
		}
		this.parked = false;
	}

	/**
	 * Sleeps although there is something to watch: a response rings no bell. Longer from
	 * time to time, and never past a deadline.
	 */
	private void rest(int round) {
		tend();
		long nanos = Math.min(MIN_PARK_NANOS << Math.min(round >>> 3, 10), MAX_PARK_NANOS);
		this.parked = true;
		if (!this.closed) {
			LockSupport.parkNanos(this, Math.min(nanos, Math.max(1, this.nearestDeadline)));
		}
		this.parked = false;
	}

	/**
	 * Sees to a loop that does not answer, whether this thread sleeps between its looks
	 * or, as some strategies do, never.
	 */
	private void tend() {
		this.loop.nudge();
		if (isLoopBroken()) {
			this.replies.endAll();
		}
	}

	/**
	 * Whether the loop is broken; if so, everybody has been told of it.
	 */
	boolean isLoopBroken() {
		if (this.loop.failure() == null) {
			return false;
		}
		this.onLoopBroken.run();
		return true;
	}

	private void scan() {
		this.watched = 0;
		this.progressed = false;
		this.nearestDeadline = Long.MAX_VALUE;
		this.now = System.nanoTime();
		this.replies.scan(this.visitor);
	}

	private void visit(PendingReply reply) {
		this.watched++;
		if (this.ring.isAnswered(reply.position())) {
			this.replies.remove(reply);
			if (!reply.answer()) {
				discard(reply.position());
			}
			this.progressed = true;
			return;
		}
		long remaining = reply.remaining(this.now);
		boolean expired = remaining <= 0 && reply.abandon();
		if (remaining > 0) {
			this.nearestDeadline = Math.min(this.nearestDeadline, remaining);
		}
		if (reply.mustWithdraw()) {
			this.ring.withdraw(reply.position());
			this.loop.doorbell();
		}
		if (expired) {
			reply.onExpired();
			// A stage has run, and may have used up the permit of a registration.
			this.progressed = true;
		}
	}

	/**
	 * Looks at the ring once for a dependent stage that waits for it on this thread: for
	 * a slot that a parked caller or a future holds, or for a response. Futures are
	 * completed only when that stage has ended, so stages never nest.
	 */
	void deliverAround() {
		scan();
		tend();
	}

	/**
	 * Completes a future whose fate is decided. On this thread, one at a time.
	 */
	void complete(FutureReply<?> reply) {
		if (!isCurrentThread()) {
			reply.complete();
			return;
		}
		this.postponed.add(reply);
		if (this.completing) {
			return;
		}
		this.completing = true;
		try {
			for (FutureReply<?> next = this.postponed.poll(); next != null; next = this.postponed.poll()) {
				next.complete();
			}
		}
		finally {
			this.completing = false;
		}
	}

	private void discard(long position) {
		this.loop.takeFailure(this.ring.layout().slot(position));
		this.ring.release(position);
	}

	/**
	 * Delivers what is there, ends what is not, and waits for the thread to end.
	 */
	void close(Duration timeout) throws InterruptedException {
		this.closed = true;
		LockSupport.unpark(this.thread);
		if (!isCurrentThread()) {
			TimeUnit.NANOSECONDS.timedJoin(this.thread, timeout.toNanos());
		}
	}

	private static final class DeliveryThread extends Thread {

		private final Delivery delivery;

		DeliveryThread(Delivery delivery, String name) {
			super(delivery, name);
			this.delivery = delivery;
			setDaemon(true);
		}

	}

}
