package io.ringkernel.cuda.host.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a host that looks at the rings of all its loops, since no producer rings
 * a bell across the socket. It spins for a while after each request that it finds: a
 * caller who calls many kernels in turn waits for no thread to wake up. It ends with the
 * last loop, and the next loop starts another one.
 */
final class HostedLoops implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(HostedLoops.class);

	/**
	 * Longer than a caller takes from a response to its next request. With few cores no
	 * thread spins.
	 */
	private static final long SPIN_NANOS = (Runtime.getRuntime().availableProcessors() >= 4)
			? TimeUnit.MICROSECONDS.toNanos(50) : 0;

	private static final long MIN_REST_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

	private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long REST_BESIDE_POLLING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final List<HostedLoop> loops = new CopyOnWriteArrayList<>();

	private @Nullable Thread thread;

	/** Looks at the ring of a loop from now on, until that is closed. */
	synchronized void add(HostedLoop loop) {
		this.loops.add(loop);
		Thread looking = this.thread;
		if (looking == null) {
			looking = new Thread(this, "ringkernel-host-mirrors");
			looking.setDaemon(true);
			looking.start();
			this.thread = looking;
		}
		LockSupport.unpark(looking);
	}

	@Override
	public void run() {
		long foundAt = System.nanoTime();
		long rest = MIN_REST_NANOS;
		while (true) {
			long now = System.nanoTime();
			Looked looked = look(now, rest == MAX_REST_NANOS);
			if (endsWithTheLast()) {
				return;
			}
			if (looked == Looked.FOUND) {
				foundAt = now;
				rest = MIN_REST_NANOS;
			}
			if (looked != Looked.POLLING && now - foundAt < SPIN_NANOS) {
				Thread.onSpinWait();
				continue;
			}
			LockSupport.parkNanos(this, (looked == Looked.POLLING) ? REST_BESIDE_POLLING_NANOS : rest);
			rest = Math.min(2 * rest, MAX_REST_NANOS);
		}
	}

	/**
	 * Whether no loop is left. What this thread knows of the mirrors is visible to the
	 * next one, which {@link #add} starts under the same lock.
	 */
	private boolean endsWithTheLast() {
		if (!this.loops.isEmpty()) {
			return false;
		}
		synchronized (this) {
			if (!this.loops.isEmpty()) {
				return false;
			}
			this.thread = null;
			return true;
		}
	}

	/** Looks at all of them once, and may nudge those of which nothing is found. */
	private Looked look(long now, boolean nudge) {
		this.loops.removeIf(HostedLoop::isLeft);
		Looked all = Looked.POLLING;
		for (HostedLoop loop : this.loops) {
			try {
				if (!loop.polls()) {
					boolean found = loop.look(nudge);
					all = (found || all == Looked.FOUND) ? Looked.FOUND : Looked.NOTHING;
				}
				else if (now - loop.lookedAt() >= REST_BESIDE_POLLING_NANOS) {
					loop.look(true);
				}
			}
			catch (RuntimeException ex) {
				loop.leave();
				logger.error("The ring of '{}' is not looked at any more", loop.kernelId(), ex);
			}
		}
		return all;
	}

	/** What a look at all rings has come to. */
	private enum Looked {

		/** There is no ring but those whose kernels poll. */
		POLLING,

		/** Nothing was found in any other ring. */
		NOTHING,

		/** Something was found. */
		FOUND

	}

}
