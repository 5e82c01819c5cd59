package io.ringkernel.ring;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.conformance.Concurrently;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How producers wait for a slot.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContendedClaimsTests {

	private static final Duration LIMIT = Duration.ofSeconds(40);

	@Test
	void aProducerWaitsBeforeItPassesOverManySlots() throws InterruptedException {
		HostRing ring = ClaimedRing.full(64);
		ring.claims().release(63);
		long begin = System.nanoTime();
		assertThat(ring.contendedClaims().claim(ClaimedRing.deadlineIn(30_000), WaitStrategy.BACK_OFF)).isEqualTo(127);
		assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MICROSECONDS.toNanos(2 * 63));
	}

	@Test
	void aProducerWithoutTimeToWaitPassesOverThemAtOnce() {
		HostRing ring = ClaimedRing.full(64);
		ring.claims().release(63);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(127);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aWaitForAFullRingEndsAtItsDeadline(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ClaimedRing.full(2);
		long deadline = ClaimedRing.deadlineIn(20);
		assertThat(ring.contendedClaims().claim(deadline, strategy)).isEqualTo(SlotClaims.NO_SLOT);
		assertThat(System.nanoTime()).isGreaterThanOrEqualTo(deadline);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aReleaseEndsAWait(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ClaimedRing.full(2);
		AtomicLong claimed = new AtomicLong();
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> claimed.set(ring.contendedClaims().claim(ClaimedRing.deadlineIn(30_000), strategy)));
		ring.claims().release(1);
		waiter.join(LIMIT);
		assertThat(claimed.get()).isEqualTo(3);
	}

	@Test
	void aRunOfReleasesEndsTheWaitOfAParkedProducer() throws InterruptedException {
		HostRing ring = ClaimedRing.of(2);
		for (int i = 0; i < 200; i++) {
			long first = ring.claims().tryClaim();
			long second = ring.claims().tryClaim();
			AtomicLong claimed = new AtomicLong();
			Concurrently.Running waiter = Concurrently.start(1, (thread) -> claimed
				.set(ring.contendedClaims().claim(ClaimedRing.deadlineIn(30_000), WaitStrategy.BACK_OFF)));
			ring.claims().freeInRun(first);
			ring.claims().freeInRun(second);
			ring.claims().signalRunFreed();
			waiter.join(LIMIT);
			assertThat(claimed.get()).isEqualTo(second + 1);
			ring.claims().release(claimed.get());
			ring.claims().release(ring.claims().tryClaim());
		}
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void closingEndsEveryWait(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ClaimedRing.full(2);
		Concurrently.Running waiters = Concurrently.start(4,
				(thread) -> assertThat(ring.contendedClaims().claim(ClaimedRing.deadlineIn(120_000), strategy))
					.isEqualTo(SlotClaims.NO_SLOT));
		ring.contendedClaims().close();
		waiters.join(LIMIT);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void anInterruptEndsAWait(WaitStrategy strategy) throws InterruptedException {
		HostRing ring = ClaimedRing.full(2);
		CountDownLatch begun = new CountDownLatch(1);
		Concurrently.Running waiter = Concurrently.start(1, (thread) -> {
			begun.countDown();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> ring.contendedClaims().claim(ClaimedRing.deadlineIn(120_000), strategy));
		});
		begun.await();
		waiter.threads().get(0).interrupt();
		waiter.join(LIMIT);
	}

	/**
	 * The next claim is there before a producer that was woken can look for its slot.
	 */
	@Test
	void aParkedProducerIsOvertakenForTwoRoundsAndNoMore() throws InterruptedException {
		HostRing ring = ClaimedRing.full(4);
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> assertThat(
						ring.contendedClaims().claim(ClaimedRing.deadlineIn(30_000), WaitStrategy.BACK_OFF))
					.isNotEqualTo(SlotClaims.NO_SLOT));
		Thread parked = waiter.threads().get(0);
		Awaitility.await().until(() -> parked.getState() == Thread.State.TIMED_WAITING);
		int overtaken = 0;
		long oldest = 0;
		do {
			ring.claims().release(oldest++);
			overtaken++;
		}
		while (ring.claims().tryClaim() != SlotClaims.NO_SLOT && overtaken < 1_000);
		assertThat(overtaken).isLessThanOrEqualTo(2 * 4 + 1);
		waiter.join(LIMIT);
		assertThat(ring.contendedClaims().tryClaimAny()).isEqualTo(SlotClaims.NO_SLOT);
		ring.claims().release(oldest);
		assertThat(ring.claims().tryClaim()).isNotEqualTo(SlotClaims.NO_SLOT);
	}

	@Test
	void producersThatParkAndProducersThatPassOverDoNotBlockEachOther() throws InterruptedException {
		HostRing ring = ClaimedRing.of(4);
		CountDownLatch done = new CountDownLatch(12);
		Concurrently.run(16, LIMIT, (thread) -> {
			if (thread < 4) {
				while (done.getCount() > 0) {
					long position = ring.contendedClaims().tryClaimAny();
					if (position != SlotClaims.NO_SLOT) {
						Thread.onSpinWait();
						ring.claims().release(position);
					}
				}
			}
			else {
				for (int i = 0; i < 2_000; i++) {
					long position = ring.contendedClaims().claim(ClaimedRing.deadlineIn(30_000), WaitStrategy.BACK_OFF);
					assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
					if (i % 8 == 0) {
						LockSupport.parkNanos(1_000);
					}
					ring.claims().release(position);
				}
				done.countDown();
			}
		});
		assertThat(ring.inFlight().count()).isZero();
	}

}
