package io.ringkernel.ring;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The next position, and the position up to which slots were seen to be free. Every
 * producer writes them. They have cache lines of their own, because threads that release
 * slots read objects that may lie on either side.
 */
@SuppressWarnings("unused")
final class ClaimHead {

	private static final AtomicLongFieldUpdater<ClaimHead> POSITION = AtomicLongFieldUpdater.newUpdater(ClaimHead.class,
			"position");

	private static final AtomicLongFieldUpdater<ClaimHead> FREE_UNTIL = AtomicLongFieldUpdater
		.newUpdater(ClaimHead.class, "freeUntil");

	private long p1, p2, p3, p4, p5, p6, p7;

	private volatile long position;

	private volatile long freeUntil;

	private long p8, p9, p10, p11, p12, p13, p14;

	ClaimHead(long position) {
		this.position = position;
		this.freeUntil = position;
	}

	long get() {
		return this.position;
	}

	boolean compareAndSet(long expected, long next) {
		return POSITION.compareAndSet(this, expected, next);
	}

	long freeUntil() {
		return this.freeUntil;
	}

	void freeUntil(long position) {
		FREE_UNTIL.lazySet(this, position);
	}

}
