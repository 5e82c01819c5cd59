package io.ringkernel.benchmarks.gpu;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.ringkernel.conformance.Concurrently;

/**
 * How often some callers, each a thread of its own, are answered in a second.
 */
final class CallRate {

	/** Calls between two looks at the clock. */
	private static final int BATCH = 64;

	private static final Duration WARM_UP = Duration.ofMillis(500);

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private CallRate() {
	}

	/**
	 * Has all callers call, and counts after they have warmed up.
	 * @param callers how many
	 * @param duration how long to count
	 * @param call a call, which fails by an exception
	 * @return answers a second
	 */
	static double of(int callers, Duration duration, Runnable call) throws InterruptedException {
		LongAdder answered = new LongAdder();
		long end = System.nanoTime() + WARM_UP.plus(duration).toNanos();
		Concurrently.Running running = Concurrently.start(callers, (caller) -> {
			while (System.nanoTime() < end) {
				for (int i = 0; i < BATCH; i++) {
					call.run();
				}
				answered.add(BATCH);
			}
		});
		TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
		long counted = answered.sum();
		long begin = System.nanoTime();
		TimeUnit.NANOSECONDS.sleep(end - begin);
		double rate = (answered.sum() - counted) / ((System.nanoTime() - begin) / 1e9);
		running.join(LIMIT);
		return rate;
	}

}
