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
import io.ringkernel.message.buffer.MessageBuffer;
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

	private static HostRing ring(int slots) {
		return ring(slots, 0);
	}

	private static HostRing ring(int slots, long startPosition) {
		RingLayout layout = RingLayout.forSlots(0, slots, 64, 64);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		return new HostRing(memory, layout, startPosition);
	}

	/** All slots are in flight, from position 0 on. */
	private static HostRing full(int slots) {
		HostRing ring = ring(slots);
		for (int i = 0; i < slots; i++) {
			ring.claims().tryClaim();
		}
		return ring;
	}

	private static long deadlineIn(long millis) {
		return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
	}

	@Test
	void positionsAreClaimedInOrder() {
		HostRing ring = ring(4);
		for (long position = 0; position < 20; position++) {
			assertThat(ring.claims().tryClaim()).isEqualTo(position);
			ring.releases().release(position);
		}
		assertThat(ring.claims().head()).isEqualTo(20);
	}

	@Test
	void aFullRingIsBusy() {
		HostRing ring = ring(2);
		ring.claims().tryClaim();
		ring.claims().tryClaim();
		assertThat(ring.claims().tryClaim()).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(ring.inFlight().count()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 1", "2, 2", "3, 2", "4, 4", "7, 4", "8, 8" })
	void theLoadIsThePowerOfTwoBelowWhatIsInFlight(int inFlight, int load) {
		HostRing ring = ring(8, 13);
		for (int i = 0; i < 5; i++) {
			ring.releases().release(ring.claims().tryClaim());
		}
		for (int i = 0; i < inFlight; i++) {
			ring.claims().tryClaim();
		}
		assertThat(ring.inFlight().load()).isEqualTo(load);
	}

	@Test
	void anOldPositionThatHoldsItsSlotIsNoLoad() {
		HostRing ring = ring(8);
		ring.claims().tryClaim();
		ring.releases().release(ring.claims().tryClaim());
		assertThat(ring.inFlight().load()).isZero();
	}

	@Test
	void aBusySlotIsPassedOverWhileAnotherIsFree() {
		HostRing ring = full(4);
		ring.releases().release(2);
		assertThat(ring.claims().tryClaim()).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(6);
		assertThat(ring.inFlight().count()).isEqualTo(4);
		assertThat(ring.inFlight().contains(0)).isTrue();
		assertThat(ring.inFlight().contains(2)).isFalse();
		assertThat(ring.inFlight().contains(6)).isTrue();
	}

	@Test
	void aProducerWaitsBeforeItPassesOverManySlots() throws InterruptedException {
		HostRing ring = full(64);
		ring.releases().release(63);
		long begin = System.nanoTime();
		assertThat(ring.contendedClaims().claim(deadlineIn(30_000), WaitStrategy.BACK_OFF)).isEqualTo(127);
		assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MICROSECONDS.toNanos(2 * 63));
	}

	@Test
	void aProducerWithoutTimeToWaitPassesOverThemAtOnce() {
		HostRing ring = full(64);
		ring.releases().release(63);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(127);
	}

	@Test
	void aSlotThatWasPassedOverIsClaimedAgainAfterItsRelease() {
		HostRing ring = ring(2);
		assertThat(ring.claims().tryClaim()).isEqualTo(0);
		for (long position = 1; position < 41; position += 2) {
			assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(position);
			ring.releases().release(position);
		}
		ring.releases().release(0);
		assertThat(ring.inFlight().count()).isZero();
		long position = ring.contendedClaims().tryClaimAny();
		assertThat(position).isEqualTo(ring.claims().head() - 1);
		assertThat(position % 2).isZero();
	}

	@Test
	void aPositionInFlightIsFoundHoweverManyLapsItIsBehind() {
		HostRing ring = ring(4);
		assertThat(ring.inFlight().before(ring.claims().head())).isEmpty();
		long slow = ring.claims().tryClaim();
		for (int i = 0; i < 1_000; i++) {
			assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(slow);
			ring.releases().release(ring.contendedClaims().tryClaimAny());
		}
		long last = ring.contendedClaims().tryClaimAny();
		assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(slow, last);
		assertThat(ring.inFlight().before(last)).containsExactly(slow);
		ring.releases().release(slow);
		assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(last);
		ring.releases().release(last);
		assertThat(ring.inFlight().before(ring.claims().head())).isEmpty();
	}

	@Test
	void whatAKernelStoresIntoTheSkippedLapsMovesNoClaim() {
		RingLayout layout = RingLayout.forSlots(0, 2, 64, 64);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing ring = new HostRing(memory, layout, 0);
		long slow = ring.claims().tryClaim();
		ring.releases().release(ring.contendedClaims().tryClaimAny());
		ring.releases().release(ring.contendedClaims().tryClaimAny());
		for (long scribble : new long[] { 0, -1, 77L | 99L << 32, Long.MIN_VALUE }) {
			memory.bytes().putLong(layout.skippedLapsOffset(0), scribble);
			assertThat(ring.inFlight().before(ring.claims().head())).as("%x", scribble).containsExactly(slow);
		}
		ring.releases().release(slow);
		assertThat(ring.inFlight().before(ring.claims().head())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1L << 30, 1L << 31, 1L << 32 })
	void slotsArePassedOverWhileLapsWrap(long lap) {
		long start = 2 * (lap - 10);
		HostRing ring = ring(2, start);
		long slow = ring.claims().tryClaim();
		assertThat(slow).isEqualTo(start);
		for (long position = start + 1; position < start + 41; position += 2) {
			assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(position);
			assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(slow, position);
			ring.releases().release(position);
		}
		ring.releases().release(slow);
		assertThat(ring.inFlight().count()).isZero();
		for (int i = 0; i < 8; i++) {
			long position = ring.contendedClaims().tryClaimAny();
			assertThat(ring.inFlight().isClaimed(position)).isTrue();
			ring.releases().release(position);
			assertThat(ring.inFlight().contains(position)).isFalse();
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
		HostRing ring = ring(8);
		long busy = ring.claims().tryClaim();
		assertThat(ring.claims().countFree(1, 4)).isEqualTo(4);
		assertThat(ring.claims().tryClaimRun(1, 4)).isTrue();
		assertThat(ring.claims().countFree(5, 8)).isEqualTo(3);
		assertThat(ring.claims().tryClaimRun(5, 3)).isTrue();
		assertThat(ring.claims().countFree(8, 8)).isZero();
		ring.releases().freeInRun(busy);
		ring.releases().freeInRun(2);
		assertThat(ring.claims().countFree(8, 8)).isOne();
		assertThat(ring.inFlight().count()).isEqualTo(6);
	}

	@Test
	void aRunIsNotClaimedBehindAnotherThreadsBack() {
		HostRing ring = ring(8);
		long head = ring.claims().head();
		int count = ring.claims().countFree(head, 4);
		ring.claims().tryClaim();
		assertThat(ring.claims().tryClaimRun(head, count)).isFalse();
		assertThat(ring.inFlight().count()).isOne();
	}

	@Test
	void aRunOfReleasesEndsTheWaitOfAParkedProducer() throws InterruptedException {
		HostRing ring = ring(2);
		for (int i = 0; i < 200; i++) {
			long first = ring.claims().tryClaim();
			long second = ring.claims().tryClaim();
			AtomicLong claimed = new AtomicLong();
			Concurrently.Running waiter = Concurrently.start(1,
					(thread) -> claimed.set(ring.contendedClaims().claim(deadlineIn(30_000), WaitStrategy.BACK_OFF)));
			ring.releases().freeInRun(first);
			ring.releases().freeInRun(second);
			ring.releases().signalRunFreed();
			waiter.join(LIMIT);
			assertThat(claimed.get()).isEqualTo(second + 1);
			ring.releases().release(claimed.get());
			ring.releases().release(ring.claims().tryClaim());
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 64 })
	void noSlotOfARunHasTwoOwners(int slots) throws InterruptedException {
		HostRing ring = ring(slots);
		AtomicIntegerArray owners = new AtomicIntegerArray(slots);
		int threads = 8;
		Concurrently.run(threads, LIMIT, (thread) -> {
			SplittableRandom random = new SplittableRandom(thread);
			for (int i = 0; i < 4_000; i++) {
				long first = ring.claims().head();
				int count = ring.claims().countFree(first, 1 + random.nextInt(slots));
				if (count == 0 || !ring.claims().tryClaimRun(first, count)) {
					first = ring.contendedClaims().claim(deadlineIn(30_000), WaitStrategy.BACK_OFF);
					assertThat(first).isNotEqualTo(SlotClaims.NO_SLOT);
					count = 1;
				}
				for (long position = first; position < first + count; position++) {
					assertThat(owners.compareAndSet((int) position & (slots - 1), 0, 1)).isTrue();
				}
				for (long position = first; position < first + count; position++) {
					owners.set((int) position & (slots - 1), 0);
					ring.releases().freeInRun(position);
				}
				ring.releases().signalRunFreed();
			}
		});
		assertThat(ring.inFlight().count()).isZero();
	}

	@Test
	void slotsAreReleasedInAnyOrder() {
		HostRing ring = ring(8);
		SplittableRandom random = new SplittableRandom(7);
		for (int lap = 0; lap < 1_000; lap++) {
			long[] positions = new long[8];
			for (int i = 0; i < 8; i++) {
				positions[i] = ring.contendedClaims().tryClaimAny();
				assertThat(positions[i]).isNotEqualTo(SlotClaims.NO_SLOT);
			}
			assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(SlotClaims.NO_SLOT);
			for (int i = 7; i > 0; i--) {
				int j = random.nextInt(i + 1);
				long swapped = positions[i];
				positions[i] = positions[j];
				positions[j] = swapped;
			}
			for (long position : positions) {
				assertThat(ring.inFlight().contains(position)).isTrue();
				ring.releases().release(position);
				assertThat(ring.inFlight().contains(position)).isFalse();
			}
			assertThat(ring.inFlight().count()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aWaitForAFullRingEndsAtItsDeadline(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ring(2);
		ring.claims().tryClaim();
		ring.claims().tryClaim();
		long deadline = deadlineIn(20);
		assertThat(ring.contendedClaims().claim(deadline, strategy)).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(System.nanoTime()).isGreaterThanOrEqualTo(deadline);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aReleaseEndsAWait(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ring(2);
		ring.claims().tryClaim();
		ring.claims().tryClaim();
		AtomicLong claimed = new AtomicLong();
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> claimed.set(ring.contendedClaims().claim(deadlineIn(30_000), strategy)));
		ring.releases().release(1);
		waiter.join(LIMIT);
		assertThat(claimed.get()).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void closingEndsEveryWait(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ring(2);
		ring.claims().tryClaim();
		ring.claims().tryClaim();
		Concurrently.Running waiters = Concurrently.start(4,
				(thread) -> assertThat(ring.contendedClaims().claim(deadlineIn(120_000), strategy))
					.isEqualTo(SlotClaims.NO_SLOT));
		ring.contendedClaims().close();
		waiters.join(LIMIT);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void anInterruptEndsAWait(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ring(2);
		ring.claims().tryClaim();
		ring.claims().tryClaim();
		CountDownLatch begun = new CountDownLatch(1);
		Concurrently.Running waiter = Concurrently.start(1, (thread) -> {
			begun.countDown();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> ring.contendedClaims().claim(deadlineIn(120_000), strategy));
		});
		begun.await();
		waiter.threads().get(0).interrupt();
		waiter.join(LIMIT);
	}

	@Test
	void waitsForIdleUntilTheLastRelease() throws InterruptedException {
		HostRing ring = ring(4);
		assertThat(ring.inFlight().awaitNone(deadlineIn(1))).isTrue();
		long first = ring.claims().tryClaim();
		long second = ring.claims().tryClaim();
		assertThat(ring.inFlight().awaitNone(deadlineIn(10))).isFalse();
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> assertThat(ring.inFlight().awaitNone(deadlineIn(30_000))).isTrue());
		ring.releases().release(second);
		ring.releases().release(first);
		waiter.join(LIMIT);
	}

	@ParameterizedTest
	@CsvSource({ "2, BUSY_SPIN", "2, YIELD", "2, BACK_OFF", "4, YIELD", "4, BACK_OFF", "64, BACK_OFF" })
	void noSlotHasTwoOwners(int slots, WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ring(slots);
		AtomicIntegerArray owners = new AtomicIntegerArray(slots);
		AtomicInteger positions = new AtomicInteger();
		int threads = 16;
		int each = TestShare.of((strategy == WaitStrategy.BUSY_SPIN) ? 2_000 : 16_000);
		Concurrently.run(threads, LIMIT, (thread) -> {
			SplittableRandom random = new SplittableRandom(thread);
			for (int i = 0; i < each; i++) {
				long position = ring.contendedClaims().claim(deadlineIn(30_000), strategy);
				assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
				int slot = (int) position & (slots - 1);
				assertThat(owners.compareAndSet(slot, 0, 1)).isTrue();
				positions.incrementAndGet();
				if (random.nextInt(16) == 0) {
					LockSupport.parkNanos(random.nextInt(100_000));
				}
				assertThat(ring.inFlight().contains(position)).isTrue();
				owners.set(slot, 0);
				ring.releases().release(position);
			}
		});
		assertThat(positions).hasValue(threads * each);
		assertThat(ring.inFlight().count()).isZero();
		assertThat(ring.claims().head()).isGreaterThanOrEqualTo(threads * each);
	}

	/**
	 * The next claim is there before a producer that was woken can look for its slot.
	 */
	@Test
	void aParkedProducerIsOvertakenForTwoRoundsAndNoMore() throws InterruptedException {
		HostRing ring = full(4);
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> assertThat(ring.contendedClaims().claim(deadlineIn(30_000), WaitStrategy.BACK_OFF))
					.isNotEqualTo(SlotClaims.NO_SLOT));
		Thread parked = waiter.threads().get(0);
		Awaitility.await().until(() -> parked.getState() == Thread.State.TIMED_WAITING);
		int overtaken = 0;
		long oldest = 0;
		do {
			ring.releases().release(oldest++);
			overtaken++;
		}
		while (ring.claims().tryClaim() != SlotClaims.NO_SLOT && overtaken < 1_000);
		assertThat(overtaken).isLessThanOrEqualTo(2 * 4 + 1);
		waiter.join(LIMIT);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(SlotClaims.NO_SLOT);
		ring.releases().release(oldest);
		assertThat(ring.claims().tryClaim()).isNotEqualTo(SlotClaims.NO_SLOT);
	}

	@Test
	void producersThatParkAndProducersThatPassOverDoNotBlockEachOther() throws InterruptedException {
		HostRing ring = ring(4);
		CountDownLatch done = new CountDownLatch(12);
		Concurrently.run(16, LIMIT, (thread) -> {
			if (thread < 4) {
				while (done.getCount() > 0) {
					long position = ring.contendedClaims().tryClaimAny();
					if (position != SlotClaims.NO_SLOT) {
						Thread.onSpinWait();
						ring.releases().release(position);
					}
				}
			}
			else {
				for (int i = 0; i < 2_000; i++) {
					long position = ring.contendedClaims().claim(deadlineIn(30_000), WaitStrategy.BACK_OFF);
					assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
					if (i % 8 == 0) {
						LockSupport.parkNanos(1_000);
					}
					ring.releases().release(position);
				}
				done.countDown();
			}
		});
		assertThat(ring.inFlight().count()).isZero();
	}

}
