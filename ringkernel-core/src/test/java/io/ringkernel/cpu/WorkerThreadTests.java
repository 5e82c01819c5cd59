package io.ringkernel.cpu;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.TestShare;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class WorkerThreadTests {

	private static final int WAKERS = 4;

	/** Work that one thread at a time may do, and that is never left undone. */
	private static final class Work implements WorkerThread.Task {

		private final AtomicInteger due = new AtomicInteger();

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicInteger collisions = new AtomicInteger();

		@Override
		public boolean isDue() {
			return this.due.get() > 0;
		}

		@Override
		public void run() {
			if (this.running.incrementAndGet() > 1) {
				this.collisions.incrementAndGet();
			}
			Thread.yield();
			this.due.decrementAndGet();
			this.running.decrementAndGet();
		}

	}

	@Test
	void wakersThatComeAtOnceStartOneThread() throws InterruptedException {
		for (int round = 0; round < TestShare.of(500); round++) {
			wakeAtOnce(TimeUnit.SECONDS.toNanos(10), 1);
		}
	}

	@Test
	void aThreadThatIsAboutToEndMakesPlaceForOneOther() throws InterruptedException {
		for (int round = 0; round < 20; round++) {
			wakeAtOnce(1, 200);
		}
	}

	private static void wakeAtOnce(long keepAliveNanos, int times) throws InterruptedException {
		Work work = new Work();
		WorkerThread thread = new WorkerThread("worker", new HandlerThreads(null), keepAliveNanos, work);
		CountDownLatch together = new CountDownLatch(WAKERS);
		Thread[] wakers = new Thread[WAKERS];
		for (int i = 0; i < WAKERS; i++) {
			wakers[i] = new Thread(() -> {
				together.countDown();
				while (together.getCount() > 0) {
					Thread.onSpinWait();
				}
				for (int wake = 0; wake < times; wake++) {
					work.due.incrementAndGet();
					thread.wake();
				}
			});
			wakers[i].start();
		}
		for (Thread waker : wakers) {
			waker.join(TimeUnit.SECONDS.toMillis(30));
		}
		Awaitility.await()
			.atMost(30, TimeUnit.SECONDS)
			.pollInterval(1, TimeUnit.MILLISECONDS)
			.until(() -> work.due.get() <= 0);
		thread.close();
		assertThat(work.collisions).hasValue(0);
	}

}
