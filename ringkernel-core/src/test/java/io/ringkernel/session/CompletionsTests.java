package io.ringkernel.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Futures complete although the system admits no other thread.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final Logger logger = (Logger) LoggerFactory.getLogger(Completions.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final AtomicInteger completed = new AtomicInteger();

	private final CountDownLatch blocked = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	private final Admitted admitted = new Admitted();

	@BeforeEach
	void record() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void end() {
		this.release.countDown();
		this.logger.detachAppender(this.log);
	}

	@Test
	void oneThreadIsThereFromTheLaunchOn() throws InterruptedException {
		Completions completions = started();
		assertThat(this.admitted.threads).hasSize(1);
		completions.close(LIMIT);
		Thread only = this.admitted.threads.get(0);
		only.join(LIMIT.toMillis());
		assertThat(only.isAlive()).isFalse();
	}

	@Test
	void withNoThreadAtAllTheDecidingThreadCompletes() throws InterruptedException {
		this.admitted.limit = 0;
		Completions completions = started();
		for (int i = 0; i < 200; i++) {
			completions.complete(this.completed::incrementAndGet);
		}
		assertThat(this.completed).hasValue(200);
		completions.close(LIMIT);
		assertThat(this.log.list).extracting(ILoggingEvent::getFormattedMessage)
			.singleElement()
			.asString()
			.contains("'any'", "ulimit -u");
	}

	@Test
	void theThreadThatIsThereGoesOnAloneAtTheLimit() throws InterruptedException {
		this.admitted.limit = 1;
		Completions completions = blocked();
		long now = System.nanoTime();
		for (int second = 0; second < 100; second++) {
			completions.complete(this.completed::incrementAndGet);
			completions.tend(now + TimeUnit.SECONDS.toNanos(2 * second));
		}
		assertThat(this.completed).hasValue(0);
		this.release.countDown();
		completions.close(LIMIT);
		assertThat(this.completed).hasValue(100);
		assertThat(this.log.list).hasSize(1);
	}

	@Test
	void anotherThreadIsAddedOnceTheLimitIsLifted() throws InterruptedException {
		this.admitted.limit = 1;
		Completions completions = blocked();
		completions.complete(this.completed::incrementAndGet);
		long now = System.nanoTime();
		completions.tend(now);
		completions.tend(now + TimeUnit.MILLISECONDS.toNanos(500));
		assertThat(this.admitted.refusals).hasValue(1);
		this.admitted.limit = 2;
		completions.tend(now + TimeUnit.SECONDS.toNanos(4));
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(this.completed).hasValue(1));
		this.release.countDown();
		completions.close(LIMIT);
	}

	@Test
	void aStageThatWaitsForAFutureBehindItDoesNotOutlastTheSession() throws InterruptedException {
		Completions completions = started();
		CountDownLatch behind = new CountDownLatch(2);
		AtomicBoolean met = new AtomicBoolean();
		completions.complete(() -> met.set(awaits(behind)));
		completions.complete(() -> {
			behind.countDown();
			awaits(behind);
		});
		completions.complete(behind::countDown);
		completions.close(LIMIT);
		assertThat(met).isTrue();
	}

	private static boolean awaits(CountDownLatch latch) {
		try {
			return latch.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void theClosingThreadCompletesWhatNoThreadIsLeftFor() throws InterruptedException {
		this.admitted.limit = 1;
		Completions completions = started();
		completions.complete(() -> {
			block();
			throw new IllegalStateException("ends the thread");
		});
		this.blocked.await();
		completions.complete(this.completed::incrementAndGet);
		this.release.countDown();
		this.admitted.threads.get(0).join();
		assertThat(this.completed).hasValue(0);
		completions.close(LIMIT);
		assertThat(this.completed).hasValue(1);
	}

	private Completions started() {
		Completions completions = new Completions("any", this.admitted);
		completions.start();
		return completions;
	}

	private Completions blocked() throws InterruptedException {
		Completions completions = started();
		completions.complete(this::block);
		this.blocked.await();
		return completions;
	}

	private void block() {
		this.blocked.countDown();
		try {
			this.release.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Makes so many threads and no more, as a limit of processes does. */
	private static final class Admitted implements ThreadFactory {

		private final List<Thread> threads = new ArrayList<>();

		private final AtomicInteger refusals = new AtomicInteger();

		private volatile int limit = Integer.MAX_VALUE;

		@Override
		public Thread newThread(Runnable task) {
			if (this.threads.size() >= this.limit) {
				this.refusals.incrementAndGet();
				throw new OutOfMemoryError("unable to create native thread");
			}
			Thread thread = new Thread(task, "completion");
			thread.setDaemon(true);
			thread.setUncaughtExceptionHandler((failed, ex) -> {
			});
			this.threads.add(thread);
			return thread;
		}

	}

}
