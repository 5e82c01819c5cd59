package io.ringkernel.cpu;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Counts the workers that are active, and keeps others out once it is closed. Both are in
 * one word, so that there is no moment at which a worker comes in behind a stop that has
 * found none. One thread at a time waits for it to be empty.
 */
final class WorkerGate {

	private static final int CLOSED = 1 << 31;

	private static final int COUNT = ~CLOSED;

	private final AtomicInteger word = new AtomicInteger();

	private volatile @Nullable Thread waiter;

	void open() {
		int value = this.word.get();
		while (!this.word.compareAndSet(value, value & COUNT)) {
			value = this.word.get();
		}
	}

	void close() {
		int value = this.word.get();
		while (!this.word.compareAndSet(value, value | CLOSED)) {
			value = this.word.get();
		}
	}

	boolean isIdle() {
		return this.word.get() == 0;
	}

	boolean enter() {
		int value = this.word.get();
		while (value >= 0) {
			if (this.word.compareAndSet(value, value + 1)) {
				return true;
			}
			value = this.word.get();
		}
		return false;
	}

	/**
	 * Lets a worker out. It counts itself out before it reads the waiter, who announces
	 * itself before it reads the count.
	 */
	void leave() {
		if ((this.word.decrementAndGet() & COUNT) == 0) {
			LockSupport.unpark(this.waiter);
		}
	}

	int count() {
		return this.word.get() & COUNT;
	}

	/** Waits until no worker is in, and returns whether that came to pass. */
	boolean awaitEmpty(long nanos) throws InterruptedException {
		long deadline = System.nanoTime() + nanos;
		this.waiter = Thread.currentThread();
		try {
			long remaining = nanos;
			while (count() > 0 && remaining > 0) {
				LockSupport.parkNanos(this, remaining);
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
				remaining = deadline - System.nanoTime();
			}
			return count() == 0;
		}
		finally {
			this.waiter = null;
		}
	}

}
