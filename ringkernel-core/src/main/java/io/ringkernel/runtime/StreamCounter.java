package io.ringkernel.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count that one thread of a stream advances, with what that thread last saw of the
 * other thread's count and a mark that it keeps for itself, in cache lines of their own.
 */
@SuppressWarnings("unused")
final class StreamCounter {

	private static final VarHandle OWN;

	static {
		try {
			OWN = MethodHandles.lookup().findVarHandle(StreamCounter.class, "own", long.class);
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

	private long own;

	private long seenOther;

	private long mark;

	private long p8;

	private long p9;

	private long p10;

	private long p11;

	private long p12;

	private long p13;

	/**
	 * The count, for the thread that advances it.
	 */
	long own() {
		return this.own;
	}

	/**
	 * The other count as it was last seen.
	 */
	long seenOther() {
		return this.seenOther;
	}

	/**
	 * Looks at the other count, with acquire.
	 */
	long see(StreamCounter other) {
		this.seenOther = (long) OWN.getAcquire(other);
		return this.seenOther;
	}

	/**
	 * The mark of the thread that advances the count.
	 */
	long mark() {
		return this.mark;
	}

	void mark(long mark) {
		this.mark = mark;
	}

	/**
	 * Advances the count by one, with release.
	 */
	void advance() {
		OWN.setRelease(this, this.own + 1);
	}

}
