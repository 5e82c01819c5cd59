package io.ringkernel.session;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.ring.HostResponses;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.order.PositionCursor;
import io.ringkernel.session.serving.ServingLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that watches the ring for futures that no caller waits for, and for
 * positions that were given up: it takes responses, watches deadlines, withdraws requests
 * and frees slots. Callers that wait take their responses themselves. It runs no code of
 * an application; {@link Completions} do. It sleeps while there is nothing to watch.
 * <p>
 * <strong>No wakeup is lost.</strong> A thread that announces a reply stores it and then
 * reads {@link #parked}; this thread sets {@code parked} and then looks for replies once
 * more. All are volatile, so one of the two sees the other. A thread that gives a
 * position up stores it plainly, so a full fence follows before it reads {@code parked}.
 * If it is out of stack, it may fail to wake this one, which therefore looks once a
 * second by itself.
 * <p>
 * <strong>It ends with the session and not before.</strong> A round allocates little, and
 * decides nothing before it has allocated. What it throws all the same, such as an
 * OutOfMemoryError, is noted, and the next round takes up what is undone.
 */
final class ResponseDispatcher implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(ResponseDispatcher.class);

	/** How long it sleeps at most while there is nothing to watch. */
	private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** How long it rests at most while futures wait for a thread that completes them. */
	private static final long MAX_PENDING_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int SPINS_PER_LOOK = 8;

	private static final int ATTEMPTS_TO_FINISH = 10;

	private final HostRing ring;

	private final HostResponses responses;

	private final GivenUpPositions givenUpPositions;

	private final DeviceLoop loop;

	private final SlotWaiters waiters;

	private final Completions completions;

	private final Pacing pacing;

	private final SessionEnd end;

	private final ClaimWatch claims;

	private final Runnable onLoopBroken;

	private final Thread thread;

	private final PositionCursor oldest;

	private volatile boolean parked;

	private volatile boolean closed;

	/** The replies that are decided and not yet handed on to be completed. */
	private @Nullable FutureReply<?> firstDecided;

	private @Nullable FutureReply<?> lastDecided;

	private int watched;

	private boolean progressed;

	private long now;

	private long idleSince;

	private long nearestDeadline;

	private long faults;

	ResponseDispatcher(String kernelId, HostRing ring, long startPosition, ServingLoop loop, SlotWaiters waiters,
			Completions completions, Pacing pacing, SessionEnd end, ClaimWatch claims, Runnable onLoopBroken) {
		this.ring = ring;
		this.responses = ring.responses();
		this.loop = loop;
		this.waiters = waiters;
		this.completions = completions;
		this.pacing = pacing;
		this.end = end;
		this.claims = claims;
		this.onLoopBroken = onLoopBroken;
		this.oldest = PositionCursor.inFlight(ring, startPosition);
		this.givenUpPositions = new GivenUpPositions(ring, loop, waiters);
		this.thread = new Thread(null, this, "ringkernel-" + kernelId + "-dispatcher", 0, false);
		this.thread.setDaemon(true);
		waiters.dispatcher(this::wake);
	}

	void start() {
		this.thread.start();
	}

	void wake() {
		if (this.parked) {
			LockSupport.unpark(this.thread);
		}
	}

	@Override
	public void run() {
		this.idleSince = System.nanoTime();
		while (!this.closed) {
			try {
				round();
			}
			catch (Throwable ex) {
				note(ex);
			}
		}
		finish();
	}

	private void note(Throwable fault) {
		this.faults++;
		try {
			// A fault that comes each round fills no disk: the 1st, 2nd, 4th, 8th … are
			// logged.
			if (Long.bitCount(this.faults) == 1) {
				logger.error("The dispatcher of responses failed ({} times by now) and goes on", this.faults, fault);
			}
		}
		catch (Throwable ex) {
			// There is no memory to say so. The next fault takes this number.
			this.faults--;
		}
		LockSupport.parkNanos(this, MAX_PENDING_REST_NANOS);
	}

	private void round() {
		scan();
		completeDecided();
		if (this.progressed) {
			this.idleSince = this.now;
			return;
		}
		boolean pending = this.completions.isPending();
		if (pending) {
			this.completions.tend(this.now);
		}
		if (this.watched > 0) {
			rest(pending);
		}
		else {
			sleep(pending ? MAX_PENDING_REST_NANOS : MAX_SLEEP_NANOS);
		}
	}

	private void sleep(long nanos) {
		this.ring.contendedClaims().repair();
		isLoopBroken();
		this.parked = true;
		scan();
		if (this.watched == 0 && !this.progressed && !this.closed) {
			LockSupport.parkNanos(this, nanos);
		}
		this.parked = false;
		// What there is to watch from now on begins now.
		this.idleSince = System.nanoTime();
	}

	/**
	 * Rests although there is something to watch, and never past a deadline. A thread
	 * that was woken early has been told of something new, whose time begins now.
	 */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	private void rest(boolean pending) {
		long nanos = this.pacing.restOfDispatcher(this.now - this.idleSince);
		if (nanos == 0) {
			this.loop.nudge();
			for (int i = 0; i < SPINS_PER_LOOK; i++) {
				Thread.onSpinWait();
			}
			Thread.yield();
			return;
		}
		tend();
		long longest = pending ? Math.min(nanos, MAX_PENDING_REST_NANOS) : nanos;
		long planned = Math.min(longest, Math.max(1, this.nearestDeadline));
		int before = this.watched;
		this.parked = true;
		scan();
		if (this.watched == before && !this.progressed && !this.closed) {
			LockSupport.parkNanos(this, planned);
		}
		this.parked = false;
		long woken = System.nanoTime();
		if (this.progressed || woken - this.now < planned) {
			this.idleSince = woken;
		}
	}

	private void tend() {
		this.loop.nudge();
		this.ring.contendedClaims().repair();
		isLoopBroken();
	}

	/** Whether the loop is broken; if so, the callers that wait have been told. */
	boolean isLoopBroken() {
		if (this.loop.failure() == null) {
			return false;
		}
		this.onLoopBroken.run();
		return true;
	}

	private void scan() {
		Thread.interrupted();
		this.watched = 0;
		this.progressed = false;
		this.nearestDeadline = Long.MAX_VALUE;
		this.now = System.nanoTime();
		long head = this.ring.claims().head();
		long first = this.oldest.before(head);
		this.claims.look(head, this.now);
		for (long position = first; position < head; position++) {
			int slot = this.ring.layout().slot(position);
			long givenUp = this.waiters.givenUp(slot);
			if (givenUp >= 0) {
				this.watched++;
				this.progressed |= this.givenUpPositions.settle(slot, givenUp);
			}
			else if (this.waiters.get(slot) instanceof FutureReply<?> reply && reply.isWaiting()) {
				this.watched++;
				visit(reply);
			}
		}
		if (this.end.isSet()) {
			endAll();
		}
	}

	private void visit(FutureReply<?> reply) {
		if (this.responses.isAnswered(reply.position)) {
			decide(reply, reply.answer());
			return;
		}
		long remaining = reply.remaining(this.now);
		if (remaining <= 0) {
			decide(reply, reply.expire());
		}
		else {
			this.nearestDeadline = Math.min(this.nearestDeadline, remaining);
		}
	}

	private void decide(FutureReply<?> reply, boolean isDecided) {
		this.progressed = true;
		if (!isDecided) {
			return;
		}
		FutureReply<?> last = this.lastDecided;
		if (last == null) {
			this.firstDecided = reply;
		}
		else {
			last.next = reply;
		}
		this.lastDecided = reply;
	}

	/** Hands decided replies on. One that finds no memory for it stays first. */
	private void completeDecided() {
		for (FutureReply<?> reply = this.firstDecided; reply != null; reply = this.firstDecided) {
			complete(reply);
			this.firstDecided = reply.next;
			if (this.firstDecided == null) {
				this.lastDecided = null;
			}
		}
	}

	void complete(FutureReply<?> reply) {
		if (reply.isOneWay()) {
			reply.run();
			return;
		}
		try {
			this.completions.complete(reply);
		}
		catch (RejectedExecutionException ex) {
			// The session has ended, and its threads with it.
			reply.run();
		}
	}

	private void endAll() {
		RuntimeException cause = null;
		for (int slot = 0; slot < this.waiters.slots(); slot++) {
			if (this.waiters.get(slot) instanceof FutureReply<?> reply && reply.isWaiting()) {
				cause = (cause != null) ? cause : this.end.exception();
				if (reply.end(cause)) {
					decide(reply, true);
				}
			}
		}
		this.waiters.wakeCallers();
	}

	/**
	 * Delivers what is answered and ends the rest. What fails is tried again a few times:
	 * nobody else does so once this thread has ended.
	 */
	private void finish() {
		boolean scanned = false;
		boolean ended = false;
		for (int attempt = 1; attempt <= ATTEMPTS_TO_FINISH && !ended; attempt++) {
			try {
				if (!scanned) {
					scan();
					scanned = true;
				}
				endAll();
				completeDecided();
				ended = true;
			}
			catch (Throwable ex) {
				note(ex);
				scanned |= attempt == ATTEMPTS_TO_FINISH - 1;
			}
		}
	}

	void close(Duration timeout) throws InterruptedException {
		this.closed = true;
		LockSupport.unpark(this.thread);
		TimeUnit.NANOSECONDS.timedJoin(this.thread, Math.max(1, timeout.toNanos()));
		this.completions.close(timeout);
	}

}
