package io.ringkernel.sampletest;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.RingKernel;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A kernel that does what a request tells it, and a path to it: {@code POST
 * /faulty/{behaviour}}.
 */
@TestConfiguration(proxyBeanMethods = false)
public class FaultyKernel {

	@Bean
	Gate gate() {
		return new Gate();
	}

	@Bean
	@RingKernel(id = "faulty")
	RingKernelHandler<Order, Done> faulty(Gate gate) {
		return (order) -> {
			switch (order.behaviour()) {
				case ANSWER -> {
				}
				case WAIT -> gate.pass();
				case FAIL -> throw new IllegalStateException("secret of the handler");
			}
			return new Done(true);
		};
	}

	public enum Behaviour {

		ANSWER, WAIT, FAIL

	}

	public record Order(Behaviour behaviour) {
	}

	public record Done(boolean done) {
	}

	/**
	 * Holds requests up until it is opened.
	 */
	public static final class Gate {

		private final Semaphore arrivals = new Semaphore(0);

		private volatile CountDownLatch latch = new CountDownLatch(1);

		public void close() {
			this.latch = new CountDownLatch(1);
		}

		public void open() {
			this.latch.countDown();
		}

		public void pass() throws InterruptedException {
			this.arrivals.release();
			this.latch.await(30, TimeUnit.SECONDS);
		}

		/**
		 * Waits until so many requests are held up.
		 */
		public void awaitArrivals(int count) throws InterruptedException {
			if (!this.arrivals.tryAcquire(count, 30, TimeUnit.SECONDS)) {
				throw new AssertionError("no request has arrived");
			}
		}

	}

	@RestController
	public static final class FaultyController {

		private final RingKernelClient<Order, Done> faulty;

		private final AtomicInteger answered = new AtomicInteger();

		FaultyController(RingKernelClient<Order, Done> faulty) {
			this.faulty = faulty;
		}

		@PostMapping("/faulty/{behaviour}")
		Done call(@PathVariable Behaviour behaviour) {
			Done done = this.faulty.call(new Order(behaviour));
			this.answered.incrementAndGet();
			return done;
		}

		/**
		 * How many requests the kernel has answered.
		 */
		public int answered() {
			return this.answered.get();
		}

	}

}
