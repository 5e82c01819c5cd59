package io.ringkernel.spring.dashboard;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * An application with the dashboard, and a kernel that can be held up.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(DashboardApplication.Twice.class)
class DashboardApplication {

	/** What a request of the value {@link #HELD} waits for. */
	static final Semaphore GATE = new Semaphore(0);

	static final int HELD = -1;

	static final int FAILING = -2;

	record Number(int value) {
	}

	@RingKernel(id = "twice")
	static class Twice implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			if (request.value() == HELD) {
				pass();
			}
			if (request.value() == FAILING) {
				throw new IllegalArgumentException("The amount of order 4711 is negative.");
			}
			return new Number(request.value() * 2);
		}

		private static void pass() {
			try {
				if (!GATE.tryAcquire(30, TimeUnit.SECONDS)) {
					throw new IllegalStateException("Nobody has opened the gate for 30 s.");
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
