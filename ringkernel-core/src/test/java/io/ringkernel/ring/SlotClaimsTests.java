package io.ringkernel.ring;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.TestShare;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.message.MessageBuffer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlotClaimsTests {

	private static final Duration LIMIT = Duration.ofSeconds(40);

	private static SlotClaims claims(int slots) {
		return claims(slots, 0);
	}

	private static SlotClaims claims(int slots, long startPosition) {
		RingLayout layout = RingLayout.forSlots(0, slots, 64, 64);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		return new SlotClaims(layout, new SkippedLaps(memory, layout), startPosition);
	}

	/** All slots are in flight, from position 0 on. */
	private static SlotClaims full(int slots) {
		SlotClaims claims = claims(slots);
		for (int i = 0; i < slots; i++) {
			claims.tryClaim();
		}
		return claims;
	}

	private static long deadlineIn(long millis) {
		return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
	}

	@Test
	void positionsAreClaimedInOrder() {
		SlotClaims claims = claims(4);
		for (long position = 0; position < 20; position++) {
			assertThat(claims.tryClaim()).isEqualTo(position);
			claims.release(position);
		}
		assertThat(claims.head()).isEqualTo(20);
	}

	@Test
	void aFullRingIsBusy() {
		SlotClaims claims = claims(2);
		claims.tryClaim();
		claims.tryClaim();
		assertThat(claims.tryClaim()).isEqualTo(SlotClaims.BUSY);
		assertThat(claims.tryClaimPassingOver()).isEqualTo(SlotClaims.BUSY);
		assertThat(claims.inFlight()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 1", "2, 2", "3, 2", "4, 4", "7, 4", "8, 8" })
	void theLoadIsThePowerOfTwoBelowWhatIsInFlight(int inFlight, int load) {
		SlotClaims claims = claims(8, 13);
		for (int i = 0; i < 5; i++) {
			claims.release(claims.tryClaim());
		}
		for (int i = 0; i < inFlight; i++) {
			claims.tryClaim();
		}
		assertThat(claims.load()).isEqualTo(load);
	}

	@Test
	void anOldPositionThatHoldsItsSlotIsNoLoad() {
		SlotClaims claims = claims(8);
		claims.tryClaim();
		claims.release(claims.tryClaim());
		assertThat(claims.load()).isZero();
	}

	@Test
	void aBusySlotIsPassedOverWhileAnotherIsFree() {
		SlotClaims claims = full(4);
		claims.release(2);
		assertThat(claims.tryClaim()).isEqualTo(SlotClaims.BUSY);
		assertThat(claims.tryClaimPassingOver()).isEqualTo(6);
		assertThat(claims.inFlight()).isEqualTo(4);
		assertThat(claims.isInFlight(0)).isTrue();
		assertThat(claims.isInFlight(2)).isFalse();
		assertThat(claims.isInFlight(6)).isTrue();
	}

	@Test
	void aProducerWaitsBeforeItPassesOverManySlots() throws InterruptedException {
		SlotClaims claims = full(64);
		claims.release(63);
		long begin = System.nanoTime();
		assertThat(claims.claim(deadlineIn(30_000), WaitStrategy.BACK_OFF)).isEqualTo(127);
		assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MICROSECONDS.toNanos(2 * 63));
	}

	@Test
	void aProducerWithoutTimeToWaitPassesOverThemAtOnce() {
		SlotClaims claims = full(64);
		claims.release(63);
		assertThat(claims.tryClaimPassingOver()).isEqualTo(127);
	}

	@Test
	void aSlotThatWasPassedOverIsClaimedAgainAfterItsRelease() {
		SlotClaims claims = claims(2);
		assertThat(claims.tryClaim()).isEqualTo(0);
		for (long position = 1; position < 41; position += 2) {
			assertThat(claims.tryClaimPassingOver()).isEqualTo(position);
			claims.release(position);
		}
		claims.release(0);
		assertThat(claims.inFlight()).isZero();
		long position = claims.tryClaimPassingOver();
		assertThat(position).isEqualTo(claims.head() - 1);
		assertThat(position % 2).isZero();
	}

	@Test
	void aPositionInFlightIsFoundHoweverManyLapsItIsBehind() {
		SlotClaims claims = claims(4);
		assertThat(claims.inFlightBefore(claims.head())).isEmpty();
		long slow = claims.tryClaim();
		for (int i = 0; i < 1_000; i++) {
			assertThat(claims.inFlightBefore(claims.head())).containsExactly(slow);
			claims.release(claims.tryClaimPassingOver());
		}
		long last = claims.tryClaimPassingOver();
		assertThat(claims.inFlightBefore(claims.head())).containsExactly(slow, last);
		assertThat(claims.inFlightBefore(last)).containsExactly(slow);
		claims.release(slow);
		assertThat(claims.inFlightBefore(claims.head())).containsExactly(last);
		claims.release(last);
		assertThat(claims.inFlightBefore(claims.head())).isEmpty();
	}

	@Test
	void whatAKernelStoresIntoTheSkippedLapsMovesNoClaim() {
		RingLayout layout = RingLayout.forSlots(0, 2, 64, 64);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		SlotClaims claims = new SlotClaims(layout, new SkippedLaps(memory, layout), 0);
		long slow = claims.tryClaim();
		claims.release(claims.tryClaimPassingOver());
		claims.release(claims.tryClaimPassingOver());
		for (long scribble : new long[] { 0, -1, 77L | 99L << 32, Long.MIN_VALUE }) {
			memory.bytes().putLong(layout.skippedLapsOffset(0), scribble);
			assertThat(claims.inFlightBefore(claims.head())).as("%x", scribble).containsExactly(slow);
		}
		claims.release(slow);
		assertThat(claims.inFlightBefore(claims.head())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1L << 30, 1L << 31, 1L << 32 })
	void slotsArePassedOverWhileLapsWrap(long lap) {
		long start = 2 * (lap - 10);
		SlotClaims claims = claims(2, start);
		long slow = claims.tryClaim();
		assertThat(slow).isEqualTo(start);
		for (long position = start + 1; position < start + 41; position += 2) {
			assertThat(claims.tryClaimPassingOver()).isEqualTo(position);
			assertThat(claims.inFlightBefore(claims.head())).containsExactly(slow, position);
			claims.release(position);
		}
		claims.release(slow);
		assertThat(claims.inFlight()).isZero();
		for (int i = 0; i < 8; i++) {
			long position = claims.tryClaimPassingOver();
			assertThat(claims.isClaimed(position)).isTrue();
			claims.release(position);
			assertThat(claims.isInFlight(position)).isFalse();
		}
	}

	@Test
	void aRangeThatWasPassedOverLongAgoIsNotTakenForNew() {
		RingLayout layout = RingLayout.forSlots(0, 2, 64, 64);
		long laps = 1L << 31;
		SlotWords words = new SlotWords(layout, 0);
		words.passOver(2);
		words.release(0);
		for (long position = 4; position <= 2 * laps; position += laps / 2) {
			words.release(position - 2);
			words.forget(position);
			assertThat(words.isFree(position)).as("position %d", position).isTrue();
		}
	}

	@Test
	void whatIsPassedOverBehindAPositionIsNotForgottenWithIt() {
		RingLayout layout = RingLayout.forSlots(0, 2, 64, 64);
		SlotWords words = new SlotWords(layout, 0);
		words.passOver(2);
		words.forget(0);
		words.release(0);
		assertThat(words.isFree(4)).isTrue();
		words.forget(4);
		assertThat(words.isFree(4)).isTrue();
	}

	@Test
	void aRunIsClaimedAsFarAsSlotsAreFree() {
		SlotClaims claims = claims(8);
		long busy = claims.tryClaim();
		assertThat(claims.countFree(1, 4)).isEqualTo(4);
		assertThat(claims.tryClaimRun(1, 4)).isTrue();
		assertThat(claims.countFree(5, 8)).isEqualTo(3);
		assertThat(claims.tryClaimRun(5, 3)).isTrue();
		assertThat(claims.countFree(8, 8)).isZero();
		claims.releaseInRun(busy);
		claims.releaseInRun(2);
		assertThat(claims.countFree(8, 8)).isOne();
		assertThat(claims.inFlight()).isEqualTo(6);
	}

	@Test
	void aRunIsNotClaimedBehindAnotherThreadsBack() {
		SlotClaims claims = claims(8);
		long head = claims.head();
		int count = claims.countFree(head, 4);
		claims.tryClaim();
		assertThat(claims.tryClaimRun(head, count)).isFalse();
		assertThat(claims.inFlight()).isOne();
	}

	@Test
	void aRunOfReleasesEndsTheWaitOfAParkedProducer() throws InterruptedException {
		SlotClaims claims = claims(2);
		for (int i = 0; i < 200; i++) {
			long first = claims.tryClaim();
			long second = claims.tryClaim();
			AtomicLong claimed = new AtomicLong();
			Concurrently.Running waiter = Concurrently.start(1,
					(thread) -> claimed.set(claims.claim(deadlineIn(30_000), WaitStrategy.BACK_OFF)));
			claims.releaseInRun(first);
			claims.releaseInRun(second);
			claims.signalReleasedRun();
			waiter.join(LIMIT);
			assertThat(claimed.get()).isEqualTo(second + 1);
			claims.release(claimed.get());
			claims.release(claims.tryClaim());
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 64 })
	void noSlotOfARunHasTwoOwners(int slots) throws InterruptedException {
		SlotClaims claims = claims(slots);
		AtomicIntegerArray owners = new AtomicIntegerArray(slots);
		int threads = 8;
		Concurrently.run(threads, LIMIT, (thread) -> {
			SplittableRandom random = new SplittableRandom(thread);
			for (int i = 0; i < 4_000; i++) {
				long first = claims.head();
				int count = claims.countFree(first, 1 + random.nextInt(slots));
				if (count == 0 || !claims.tryClaimRun(first, count)) {
					first = claims.claim(deadlineIn(30_000), WaitStrategy.BACK_OFF);
					assertThat(first).isNotEqualTo(SlotClaims.BUSY);
					count = 1;
				}
				for (long position = first; position < first + count; position++) {
					assertThat(owners.compareAndSet((int) position & (slots - 1), 0, 1)).isTrue();
				}
				for (long position = first; position < first + count; position++) {
					owners.set((int) position & (slots - 1), 0);
					claims.releaseInRun(position);
				}
				claims.signalReleasedRun();
			}
		});
		assertThat(claims.inFlight()).isZero();
	}

	@Test
	void slotsAreReleasedInAnyOrder() {
		SlotClaims claims = claims(8);
		SplittableRandom random = new SplittableRandom(7);
		for (int lap = 0; lap < 1_000; lap++) {
			long[] positions = new long[8];
			for (int i = 0; i < 8; i++) {
				positions[i] = claims.tryClaimPassingOver();
				assertThat(positions[i]).isNotEqualTo(SlotClaims.BUSY);
			}
			assertThat(claims.tryClaimPassingOver()).isEqualTo(SlotClaims.BUSY);
			for (int i = 7; i > 0; i--) {
				int j = random.nextInt(i + 1);
				long swapped = positions[i];
				positions[i] = positions[j];
				positions[j] = swapped;
			}
			for (long position : positions) {
				assertThat(claims.isInFlight(position)).isTrue();
				claims.release(position);
				assertThat(claims.isInFlight(position)).isFalse();
			}
			assertThat(claims.inFlight()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aWaitForAFullRingEndsAtItsDeadline(WaitStrategy strategy) throws InterruptedException {
		SlotClaims claims = claims(2);
		claims.tryClaim();
		claims.tryClaim();
		long deadline = deadlineIn(20);
		assertThat(claims.claim(deadline, strategy)).isEqualTo(SlotClaims.BUSY);
		assertThat(System.nanoTime()).isGreaterThanOrEqualTo(deadline);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aReleaseEndsAWait(WaitStrategy strategy) throws InterruptedException {
		SlotClaims claims = claims(2);
		claims.tryClaim();
		claims.tryClaim();
		AtomicLong claimed = new AtomicLong();
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> claimed.set(claims.claim(deadlineIn(30_000), strategy)));
		claims.release(1);
		waiter.join(LIMIT);
		assertThat(claimed.get()).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void closingEndsEveryWait(WaitStrategy strategy) throws InterruptedException {
		SlotClaims claims = claims(2);
		claims.tryClaim();
		claims.tryClaim();
		Concurrently.Running waiters = Concurrently.start(4,
				(thread) -> assertThat(claims.claim(deadlineIn(120_000), strategy)).isEqualTo(SlotClaims.BUSY));
		claims.close();
		waiters.join(LIMIT);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void anInterruptEndsAWait(WaitStrategy strategy) throws InterruptedException {
		SlotClaims claims = claims(2);
		claims.tryClaim();
		claims.tryClaim();
		CountDownLatch begun = new CountDownLatch(1);
		Concurrently.Running waiter = Concurrently.start(1, (thread) -> {
			begun.countDown();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> claims.claim(deadlineIn(120_000), strategy));
		});
		begun.await();
		waiter.threads().get(0).interrupt();
		waiter.join(LIMIT);
	}

	@Test
	void waitsForIdleUntilTheLastRelease() throws InterruptedException {
		SlotClaims claims = claims(4);
		assertThat(claims.awaitIdle(deadlineIn(1))).isTrue();
		long first = claims.tryClaim();
		long second = claims.tryClaim();
		assertThat(claims.awaitIdle(deadlineIn(10))).isFalse();
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> assertThat(claims.awaitIdle(deadlineIn(30_000))).isTrue());
		claims.release(second);
		claims.release(first);
		waiter.join(LIMIT);
	}

	@ParameterizedTest
	@CsvSource({ "2, BUSY_SPIN", "2, YIELD", "2, BACK_OFF", "4, YIELD", "4, BACK_OFF", "64, BACK_OFF" })
	void noSlotHasTwoOwners(int slots, WaitStrategy strategy) throws InterruptedException {
		SlotClaims claims = claims(slots);
		AtomicIntegerArray owners = new AtomicIntegerArray(slots);
		AtomicInteger positions = new AtomicInteger();
		int threads = 16;
		int each = TestShare.of((strategy == WaitStrategy.BUSY_SPIN) ? 2_000 : 16_000);
		Concurrently.run(threads, LIMIT, (thread) -> {
			SplittableRandom random = new SplittableRandom(thread);
			for (int i = 0; i < each; i++) {
				long position = claims.claim(deadlineIn(30_000), strategy);
				assertThat(position).isNotEqualTo(SlotClaims.BUSY);
				int slot = (int) position & (slots - 1);
				assertThat(owners.compareAndSet(slot, 0, 1)).isTrue();
				positions.incrementAndGet();
				if (random.nextInt(16) == 0) {
					LockSupport.parkNanos(random.nextInt(100_000));
				}
				assertThat(claims.isInFlight(position)).isTrue();
				owners.set(slot, 0);
				claims.release(position);
			}
		});
		assertThat(positions).hasValue(threads * each);
		assertThat(claims.inFlight()).isZero();
		assertThat(claims.head()).isGreaterThanOrEqualTo(threads * each);
	}

	/**
	 * The next claim is there before a producer that was woken can look for its slot.
	 */
	@Test
	void aParkedProducerIsOvertakenForTwoRoundsAndNoMore() throws InterruptedException {
		SlotClaims claims = full(4);
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> assertThat(claims.claim(deadlineIn(30_000), WaitStrategy.BACK_OFF))
					.isNotEqualTo(SlotClaims.BUSY));
		Thread parked = waiter.threads().get(0);
		Awaitility.await().until(() -> parked.getState() == Thread.State.TIMED_WAITING);
		int overtaken = 0;
		long oldest = 0;
		do {
			claims.release(oldest++);
			overtaken++;
		}
		while (claims.tryClaim() != SlotClaims.BUSY && overtaken < 1_000);
		assertThat(overtaken).isLessThanOrEqualTo(2 * 4 + 1);
		waiter.join(LIMIT);
		assertThat(claims.tryClaimPassingOver()).isEqualTo(SlotClaims.BUSY);
		claims.release(oldest);
		assertThat(claims.tryClaim()).isNotEqualTo(SlotClaims.BUSY);
	}

	@Test
	void producersThatParkAndProducersThatPassOverDoNotBlockEachOther() throws InterruptedException {
		SlotClaims claims = claims(4);
		CountDownLatch done = new CountDownLatch(12);
		Concurrently.run(16, LIMIT, (thread) -> {
			if (thread < 4) {
				while (done.getCount() > 0) {
					long position = claims.tryClaimPassingOver();
					if (position != SlotClaims.BUSY) {
						Thread.onSpinWait();
						claims.release(position);
					}
				}
			}
			else {
				for (int i = 0; i < 2_000; i++) {
					long position = claims.claim(deadlineIn(30_000), WaitStrategy.BACK_OFF);
					assertThat(position).isNotEqualTo(SlotClaims.BUSY);
					if (i % 8 == 0) {
						LockSupport.parkNanos(1_000);
					}
					claims.release(position);
				}
				done.countDown();
			}
		});
		assertThat(claims.inFlight()).isZero();
	}

}
