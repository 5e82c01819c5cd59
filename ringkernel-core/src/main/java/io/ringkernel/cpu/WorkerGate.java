package io.ringkernel.cpu;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the workers that are active, and keeps others out once it is closed. Both are in
 * one word, so that there is no moment at which a worker comes in behind a stop that has
 * found none.
 */
final class WorkerGate {

	private static final int CLOSED = 1 << 31;

	private final AtomicInteger word = new AtomicInteger();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition empty = this.lock.newCondition();

	void open() {
		this.word.getAndUpdate((value) -> value & ~CLOSED);
	}

	void close() {
		this.word.getAndUpdate((value) -> value | CLOSED);
	}

	/**
	 * Whether it is open and no worker is in.
	 */
	boolean isIdle() {
		return this.word.get() == 0;
	}

	/**
	 * Lets a worker in, if the gate is open.
	 */
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

	void leave() {
		if ((this.word.decrementAndGet() & ~CLOSED) == 0) {
			this.lock.lock();
			try {
				this.empty.signalAll();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	int count() {
		return this.word.get() & ~CLOSED;
	}

	/**
	 * Waits until no worker is in.
	 * @return whether that came to pass
	 */
	boolean awaitEmpty(long timeout, TimeUnit unit) throws InterruptedException {
		long remaining = unit.toNanos(timeout);
		this.lock.lock();
		try {
			while (count() > 0 && remaining > 0) {
				remaining = this.empty.awaitNanos(remaining);
			}
			return count() == 0;
		}
		finally {
			this.lock.unlock();
		}
	}

}
