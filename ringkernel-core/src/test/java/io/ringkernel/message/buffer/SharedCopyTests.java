package io.ringkernel.message.buffer;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringkernel.Capacity;
import io.ringkernel.TestShare;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class SharedCopyTests {

	private static final int PART = (64 << 10) / Integer.BYTES;

	private static final Duration SOON = Duration.ofMillis(1);

	private final ExecutorService pool = Executors.newFixedThreadPool(3);

	private final CopyHelpers helpers = new CopyHelpers(this.pool, 3, SOON);

	@AfterEach
	void close() {
		this.pool.shutdownNow();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, PART - 1, PART, PART + 1, 3 * PART, 20 * PART + 7 })
	void eachElementIsCopiedOnce(int elements) {
		for (int round = 0; round < TestShare.of(200); round++) {
			AtomicIntegerArray copied = new AtomicIntegerArray(elements);
			SharedCopy.run(elements, Integer.BYTES, (from, count) -> {
				for (int i = from; i < from + count; i++) {
					copied.incrementAndGet(i);
				}
			}, 3, this.helpers);
			assertThat(IntStream.range(0, elements)).allMatch((i) -> copied.get(i) == 1);
		}
	}

	@Test
	void whatHelpersHaveCopiedIsSeenBehindTheCopy() {
		int[] source = new int[40 * PART];
		int[] target = new int[source.length];
		for (int round = 1; round <= 50; round++) {
			Arrays.fill(source, round);
			SharedCopy.run(source.length, Integer.BYTES,
					(from, count) -> System.arraycopy(source, from, target, from, count), 3, this.helpers);
			assertThat(target).isEqualTo(source);
		}
	}

	@Test
	void helpersThatNeverStartAreNotWaitedFor() {
		int[] target = new int[4 * PART];
		SharedCopy.run(target.length, Integer.BYTES, (from, count) -> Arrays.fill(target, from, from + count, 1), 3,
				new CopyHelpers((helper) -> {
				}, 3, SOON));
		assertThat(target).containsOnly(1);
	}

	@Test
	void aHelperThatHasNotStartedKeepsNoArray() {
		List<Runnable> waiting = new ArrayList<>();
		WeakReference<int[]> array = new WeakReference<>(copied(waiting));
		await().atMost(Duration.ofSeconds(20)).until(() -> {
			System.gc();
			return array.get() == null;
		});
		waiting.forEach(Runnable::run);
		assertThat(waiting).hasSize(3);
	}

	private static int[] copied(List<Runnable> waiting) {
		int[] target = new int[4 * PART];
		SharedCopy.run(target.length, Integer.BYTES, (from, count) -> Arrays.fill(target, from, from + count, 1), 3,
				new CopyHelpers(waiting::add, 3, SOON));
		return target;
	}

	@Test
	void helpIsNotAskedForWhileEarlierRequestsForItWait() {
		ForkJoinPool busy = new ForkJoinPool(1);
		CountDownLatch end = new CountDownLatch(1);
		try {
			busy.submit(() -> end.await(20, TimeUnit.SECONDS));
			busy.execute(() -> {
			});
			await().atMost(Duration.ofSeconds(20)).until(busy::hasQueuedSubmissions);
			assertThat(new CopyHelpers(busy, 3, SOON).wanted(1L << 30)).isZero();
		}
		finally {
			end.countDown();
			busy.shutdown();
		}
	}

	@Test
	void aSingleCopyIsSharedOnlyIfItIsLarge() {
		CopyHelpers idle = new CopyHelpers(this.pool, 3, SOON);
		assertThat(idle.wanted(128 << 10)).isZero();
		assertThat(idle.wanted(1 << 20)).isEqualTo(3);
		assertThat(new CopyHelpers(this.pool, 0, SOON).wanted(1 << 20)).isZero();
	}

	@Test
	void copiesThatFollowEachOtherAreSharedAlsoIfTheyAreSmall() {
		CopyHelpers often = new CopyHelpers(this.pool, 3, Duration.ofSeconds(10));
		int alone = 0;
		while (often.wanted(64 << 10) == 0) {
			alone++;
		}
		assertThat(alone).isEqualTo(8);
		assertThat(often.wanted(64 << 10)).isEqualTo(3);
		assertThat(often.wanted((64 << 10) - 1)).isZero();
	}

	@Test
	void aThreadThatHasHelpedTakesPartInTheNextCopyUnasked() {
		AtomicInteger asked = new AtomicInteger();
		CopyHelpers one = new CopyHelpers((helper) -> {
			asked.incrementAndGet();
			this.pool.execute(helper);
		}, 1, Duration.ofSeconds(10));
		while (one.wanted(64 << 10) == 0) {
			assertThat(asked).hasValue(0);
		}
		for (int copy = 0; copy < 5; copy++) {
			CountDownLatch both = new CountDownLatch(2);
			SharedCopy.run(8 * PART, Integer.BYTES, (from, count) -> meet(both), 1, one);
			assertThat(both.getCount()).isZero();
		}
		assertThat(asked).hasValue(1);
	}

	private static void meet(CountDownLatch both) {
		both.countDown();
		try {
			assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aThreadThatFindsNoCopyEnds() throws Exception {
		CopyHelpers one = new CopyHelpers(this.pool, 1, SOON);
		SharedCopy.run(4 * PART, Integer.BYTES, (from, count) -> {
		}, 1, one);
		this.pool.shutdown();
		assertThat(this.pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aPartThatFailsFailsTheCopyOnceAllHaveEnded() {
		assertThatIllegalStateException().isThrownBy(() -> SharedCopy.run(8 * PART, Integer.BYTES, (from, count) -> {
			if (from == 5 * PART) {
				throw new IndexOutOfBoundsException("beyond");
			}
		}, 3, this.helpers))
			.withMessage("A part of an array could not be copied.")
			.havingRootCause()
			.withMessage("beyond");
	}

	/** A slot that is given back while a helper writes would get a stale part. */
	@Test
	void aPartThatAHelperStillCopiesIsWaitedFor() {
		CopyHelpers impatient = new CopyHelpers(this.pool, 1, SOON, Duration.ofMillis(1));
		CountDownLatch helps = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		int[] target = new int[4 * PART];
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.list = new CopyOnWriteArrayList<>();
		log.start();
		Logger logger = (Logger) LoggerFactory.getLogger(SharedCopy.class);
		logger.addAppender(log);
		try {
			CompletableFuture<Void> copy = CompletableFuture.runAsync(() -> {
				Thread caller = Thread.currentThread();
				SharedCopy.run(target.length, Integer.BYTES, (from, count) -> {
					if (Thread.currentThread() == caller) {
						pass(helps);
					}
					else {
						helps.countDown();
						pass(end);
					}
					Arrays.fill(target, from, from + count, 1);
				}, 1, impatient);
			}, this.pool);
			await().atMost(Duration.ofSeconds(20)).until(() -> copy.isDone() || !log.list.isEmpty());
			assertThat(copy).isNotDone();
			end.countDown();
			assertThat(copy).succeedsWithin(Duration.ofSeconds(20));
		}
		finally {
			end.countDown();
			logger.detachAppender(log);
		}
		assertThat(target).containsOnly(1);
		assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
			.singleElement(STRING)
			.contains("is not copied after PT0.001S", "common.parallelism");
	}

	private static void pass(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aProgressThatCannotBeToldFailsTheCopyOnceAllHaveEnded() {
		AtomicInteger copied = new AtomicInteger();
		assertThatIllegalStateException()
			.isThrownBy(() -> SharedCopy.run(8, (part) -> copied.incrementAndGet(), (up) -> {
				throw new IndexOutOfBoundsException("beyond");
			}, 0, this.helpers))
			.havingRootCause()
			.withMessage("beyond");
		assertThat(copied).hasValue(8);
	}

	@Test
	void anArrayOfSixteenMebibytesComesBackAsItWasSent() {
		float[] values = new float[4 << 20];
		for (int i = 0; i < values.length; i++) {
			values[i] = i;
		}
		MessageLayout<Numbers> layout = MessageLayout.of(Numbers.class);
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		int length = layout.write(new Numbers(values), buffer, 0);
		assertThat(layout.read(buffer, 0, length).values()).isEqualTo(values);
	}

	record Numbers(@Capacity(4 << 20) float[] values) {
	}

}
