package io.ringkernel.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count that one thread of a stream advances, with what that thread last saw of the
 * other thread's count and a mark that it keeps for itself, in cache lines of their own.
 * The fields are not hidden behind methods: a store into a field succeeds where a method
 * call finds no stack.
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

	/** The count. The other thread reads it by {@link #acquire} alone. */
	long own;

	/** The other thread's count as it was last seen. */
	long seenOther;

	long mark;

	private long p8;

	private long p9;

	private long p10;

	private long p11;

	private long p12;

	private long p13;

	/**
	 * Loads the count, with acquire; for the other thread.
	 */
	long acquire() {
		return (long) OWN.getAcquire(this);
	}

	/**
	 * Sets the count, with release.
	 */
	void release(long count) {
		OWN.setRelease(this, count);
	}

}
