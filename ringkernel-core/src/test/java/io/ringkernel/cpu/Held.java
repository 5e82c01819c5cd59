package io.ringkernel.cpu;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.cpu.CpuRig.Number;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler that holds request 0 until it is released or interrupted, and echoes the
 * others.
 */
final class Held {

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	Number handle(Number request) throws InterruptedException {
		if (request.value() == 0) {
			this.begun.countDown();
			assertThat(this.released.await(60, TimeUnit.SECONDS)).isTrue();
		}
		return request;
	}

	void awaitBegun() throws InterruptedException {
		assertThat(this.begun.await(30, TimeUnit.SECONDS)).isTrue();
	}

	void release() {
		this.released.countDown();
	}

}
