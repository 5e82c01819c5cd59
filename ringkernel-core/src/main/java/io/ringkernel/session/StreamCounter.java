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

	private long p1, p2, p3, p4, p5, p6, p7;

	/** The count. The other thread reads it by {@link #acquire} alone. */
	long own;

	/** The other thread's count as it was last seen. */
	long seenOther;

	long mark;

	private long p8, p9, p10, p11, p12, p13;

	long acquire() {
		return (long) OWN.getAcquire(this);
	}

	void release(long count) {
		OWN.setRelease(this, count);
	}

}
