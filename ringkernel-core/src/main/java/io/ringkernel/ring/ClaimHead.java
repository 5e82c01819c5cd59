package io.ringkernel.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The next position, and the position up to which slots were seen to be free. Every
 * producer writes them. They have cache lines of their own, because threads that release
 * slots read objects that may lie on either side.
 */
@SuppressWarnings("unused")
final class ClaimHead {

	private static final VarHandle POSITION;

	private static final VarHandle FREE_UNTIL;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			POSITION = lookup.findVarHandle(ClaimHead.class, "position", long.class);
			FREE_UNTIL = lookup.findVarHandle(ClaimHead.class, "freeUntil", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private long p1;

	private long p2;

	private long p3;

	private long p4;

	private long p5;

	private long p6;

	private long p7;

	private volatile long position;

	private long freeUntil;

	private long p8;

	private long p9;

	private long p10;

	private long p11;

	private long p12;

	private long p13;

	private long p14;

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
		return (long) FREE_UNTIL.getAcquire(this);
	}

	void freeUntil(long position) {
		FREE_UNTIL.setRelease(this, position);
	}

}
