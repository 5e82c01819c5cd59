package io.ringkernel.ring;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.TestShare;
import io.ringkernel.conformance.Concurrently;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which positions are claimed, and that no slot has two owners.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlotClaimsTests {

	private static final Duration LIMIT = Duration.ofSeconds(40);

	@Test
	void positionsAreClaimedInOrder() {
		HostRing ring = ClaimedRing.of(4);
		for (long position = 0; position < 20; position++) {
			assertThat(ring.claims().tryClaim()).isEqualTo(position);
			ring.claims().release(position);
		}
		assertThat(ring.claims().head()).isEqualTo(20);
	}

	@Test
	void aFullRingIsBusy() {
		HostRing ring = ClaimedRing.full(2);
		assertThat(ring.claims().tryClaim()).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(ring.inFlight().count()).isEqualTo(2);
	}

	@Test
	void aBusySlotIsPassedOverWhileAnotherIsFree() {
		HostRing ring = ClaimedRing.full(4);
		ring.claims().release(2);
		assertThat(ring.claims().tryClaim()).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(6);
		assertThat(ring.inFlight().count()).isEqualTo(4);
		assertThat(ring.inFlight().contains(0)).isTrue();
		assertThat(ring.inFlight().contains(2)).isFalse();
		assertThat(ring.inFlight().contains(6)).isTrue();
	}

	@Test
	void aSlotThatWasPassedOverIsClaimedAgainAfterItsRelease() {
		HostRing ring = ClaimedRing.of(2);
		assertThat(ring.claims().tryClaim()).isEqualTo(0);
		for (long position = 1; position < 41; position += 2) {
			assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(position);
			ring.claims().release(position);
		}
		ring.claims().release(0);
		assertThat(ring.inFlight().count()).isZero();
		long position = ring.contendedClaims().tryClaimAny();
		assertThat(position).isEqualTo(ring.claims().head() - 1);
		assertThat(position % 2).isZero();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1L << 30, 1L << 31, 1L << 32 })
	void slotsArePassedOverWhileLapsWrap(long lap) {
		long start = 2 * (lap - 10);
		HostRing ring = ClaimedRing.of(2, start);
		long slow = ring.claims().tryClaim();
		assertThat(slow).isEqualTo(start);
		for (long position = start + 1; position < start + 41; position += 2) {
			assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(position);
			assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(slow, position);
			ring.claims().release(position);
		}
		ring.claims().release(slow);
		assertThat(ring.inFlight().count()).isZero();
		for (int i = 0; i < 8; i++) {
			long position = ring.contendedClaims().tryClaimAny();
			assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(position);
			ring.claims().release(position);
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
		HostRing ring = ClaimedRing.of(8);
		long busy = ring.claims().tryClaim();
		assertThat(ring.claims().countFree(1, 4)).isEqualTo(4);
		assertThat(ring.claims().tryClaimRun(1, 4)).isTrue();
		assertThat(ring.claims().countFree(5, 8)).isEqualTo(3);
		assertThat(ring.claims().tryClaimRun(5, 3)).isTrue();
		assertThat(ring.claims().countFree(8, 8)).isZero();
		ring.claims().freeInRun(busy);
		ring.claims().freeInRun(2);
		assertThat(ring.claims().countFree(8, 8)).isOne();
		assertThat(ring.inFlight().count()).isEqualTo(6);
	}

	@Test
	void aRunIsNotClaimedBehindAnotherThreadsBack() {
		HostRing ring = ClaimedRing.of(8);
		long head = ring.claims().head();
		int count = ring.claims().countFree(head, 4);
		ring.claims().tryClaim();
		assertThat(ring.claims().tryClaimRun(head, count)).isFalse();
		assertThat(ring.inFlight().count()).isOne();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 64 })
	void noSlotOfARunHasTwoOwners(int slots) throws InterruptedException {
		HostRing ring = ClaimedRing.of(slots);
		AtomicIntegerArray owners = new AtomicIntegerArray(slots);
		int threads = 8;
		Concurrently.run(threads, LIMIT, (thread) -> {
			SplittableRandom random = new SplittableRandom(thread);
			for (int i = 0; i < 4_000; i++) {
				long first = ring.claims().head();
				int count = ring.claims().countFree(first, 1 + random.nextInt(slots));
				if (count == 0 || !ring.claims().tryClaimRun(first, count)) {
					first = ring.contendedClaims().claim(ClaimedRing.deadlineIn(30_000), WaitStrategy.BACK_OFF);
					assertThat(first).isNotEqualTo(SlotClaims.NO_SLOT);
					count = 1;
				}
				for (long position = first; position < first + count; position++) {
					assertThat(owners.compareAndSet((int) position & (slots - 1), 0, 1)).isTrue();
				}
				for (long position = first; position < first + count; position++) {
					owners.set((int) position & (slots - 1), 0);
					ring.claims().freeInRun(position);
				}
				ring.claims().signalRunFreed();
			}
		});
		assertThat(ring.inFlight().count()).isZero();
	}

	@Test
	void slotsAreReleasedInAnyOrder() {
		HostRing ring = ClaimedRing.of(8);
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
				ring.claims().release(position);
				assertThat(ring.inFlight().contains(position)).isFalse();
			}
			assertThat(ring.inFlight().count()).isZero();
		}
	}

	@ParameterizedTest
	@CsvSource({ "2, BUSY_SPIN", "2, YIELD", "2, BACK_OFF", "4, YIELD", "4, BACK_OFF", "64, BACK_OFF" })
	void noSlotHasTwoOwners(int slots, WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ClaimedRing.of(slots);
		AtomicIntegerArray owners = new AtomicIntegerArray(slots);
		AtomicInteger positions = new AtomicInteger();
		int threads = 16;
		int each = TestShare.of((strategy == WaitStrategy.BUSY_SPIN) ? 2_000 : 16_000);
		Concurrently.run(threads, LIMIT, (thread) -> {
			SplittableRandom random = new SplittableRandom(thread);
			for (int i = 0; i < each; i++) {
				long position = ring.contendedClaims().claim(ClaimedRing.deadlineIn(30_000), strategy);
				assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
				int slot = (int) position & (slots - 1);
				assertThat(owners.compareAndSet(slot, 0, 1)).isTrue();
				positions.incrementAndGet();
				if (random.nextInt(16) == 0) {
					LockSupport.parkNanos(random.nextInt(100_000));
				}
				assertThat(ring.inFlight().contains(position)).isTrue();
				owners.set(slot, 0);
				ring.claims().release(position);
			}
		});
		assertThat(positions).hasValue(threads * each);
		assertThat(ring.inFlight().count()).isZero();
		assertThat(ring.claims().head()).isGreaterThanOrEqualTo(threads * each);
	}

}
