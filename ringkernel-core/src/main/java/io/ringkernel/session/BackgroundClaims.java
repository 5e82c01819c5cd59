package io.ringkernel.session;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.ring.TryLock;

/**
 * Claims positions for background requests: only while fewer requests are in flight than
 * there are workers. Normal requests know nothing of it, and signal nothing: the first of
 * the background requests that wait looks for a free worker from time to time. The others
 * sleep in their order, and each is woken by the one before it.
 */
final class BackgroundClaims {

	/** About twenty round trips of a device. */
	private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	/** What it costs if the first thread in line has no stack left to wake the next. */
	private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final IntSupplier inFlight;

	private final LongSupplier claim;

	private final SessionEnd end;

	private final int limit;

	/** Of the thread that claims; else many would find the same worker free. */
	private final TryLock claiming = new TryLock();

	private final ConcurrentLinkedQueue<Thread> line = new ConcurrentLinkedQueue<>();

	BackgroundClaims(HostRing ring, SessionEnd end, int workers) {
		this(ring.inFlight()::count, ring.contendedClaims()::tryClaimAny, end,
				Math.min(workers, ring.layout().slots()));
	}

	BackgroundClaims(IntSupplier inFlight, LongSupplier claim, SessionEnd end, int limit) {
		this.inFlight = inFlight;
		this.claim = claim;
		this.end = end;
		this.limit = limit;
	}

	/** Claims a position if a worker would be free for it, or returns {@code NO_SLOT}. */
	long tryClaim() {
		if (!this.claiming.tryTakeSoon()) {
			return SlotClaims.NO_SLOT;
		}
		long position = SlotClaims.NO_SLOT;
		try {
			if (this.inFlight.getAsInt() < this.limit) {
				position = this.claim.getAsLong();
			}
		}
		finally {
			this.claiming.taken = TryLock.FREE;
		}
		return position;
	}

	/** Claims a position, waiting until a deadline, or returns {@code NO_SLOT}. */
	long claim(long deadline) throws InterruptedException {
		Thread current = Thread.currentThread();
		this.line.add(current);
		try {
			long position = tryClaim();
			long remaining = deadline - System.nanoTime();
			while (position == SlotClaims.NO_SLOT && remaining > 0 && !this.end.isSet()) {
				boolean first = current.equals(this.line.peek());
				LockSupport.parkNanos(this, Math.min(remaining, first ? LOOK_NANOS : MAX_SLEEP_NANOS));
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
				position = tryClaim();
				remaining = deadline - System.nanoTime();
			}
			return position;
		}
		finally {
			this.line.remove(current);
			LockSupport.unpark(this.line.peek());
		}
	}

}
