package io.ringkernel.models;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A model in a half of the kernel's state, and the calls that use it. Once it has retired
 * and the last of them has ended, its half may be overwritten.
 */
final class ServedModel {

	private final Model model;

	private final int half;

	/** The calls that use it, and one more until it retires. */
	private final AtomicInteger users = new AtomicInteger(1);

	private final CountDownLatch free = new CountDownLatch(1);

	ServedModel(Model model, int half) {
		this.model = model;
		this.half = half;
	}

	Model model() {
		return this.model;
	}

	int half() {
		return this.half;
	}

	/** Begins a call, unless the last one has ended. */
	boolean enter() {
		int before;
		do {
			before = this.users.get();
		}
		while (before > 0 && !this.users.compareAndSet(before, before + 1));
		return before > 0;
	}

	void exit() {
		if (this.users.decrementAndGet() == 0) {
			this.free.countDown();
		}
	}

	/** Takes it out of service; calls that have begun go on. */
	void retire() {
		exit();
	}

	boolean awaitFree(Duration patience) throws InterruptedException {
		return this.free.await(patience.toNanos(), TimeUnit.NANOSECONDS);
	}

}
