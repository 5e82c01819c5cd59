package io.ringkernel.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackgroundClaimsTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final int CALLERS = 50;

	private static final int LOOKS = 1000;

	private final SessionEnd end = new SessionEnd("any");

	private final AtomicInteger inFlight = new AtomicInteger(1);

	private final AtomicLong head = new AtomicLong();

	private final Map<Thread, AtomicInteger> looks = new ConcurrentHashMap<>();

	private final Set<Long> claimed = ConcurrentHashMap.newKeySet();

	private final BackgroundClaims claims = new BackgroundClaims(() -> {
		this.looks.computeIfAbsent(Thread.currentThread(), (looking) -> new AtomicInteger()).incrementAndGet();
		return this.inFlight.get();
	}, this.head::getAndIncrement, this.end, 1);

	private final List<Thread> callers = new ArrayList<>();

	@AfterEach
	void endCallers() throws InterruptedException {
		this.end.set(null);
		for (Thread caller : this.callers) {
			caller.join();
		}
	}

	@Test
	void ofThoseThatWaitOnlyTheFirstLooksOften() {
		startCallers();
		Thread first = this.callers.get(0);
		int before = totalLooks() - looksOf(first);
		int until = looksOf(first) + LOOKS;
		Awaitility.await().atMost(LIMIT).until(() -> looksOf(first) >= until);
		assertThat(totalLooks() - looksOf(first) - before).isLessThan(LOOKS);
	}

	@Test
	void eachOfThemClaimsOnceAWorkerIsFree() {
		startCallers();
		this.inFlight.set(0);
		Awaitility.await().atMost(LIMIT).until(() -> this.claimed.size() == CALLERS);
	}

	@Test
	void theEndOfTheSessionEndsTheWaitOfAll() throws InterruptedException {
		startCallers();
		this.end.set(null);
		for (Thread caller : this.callers) {
			caller.join();
		}
		assertThat(this.claimed).isEmpty();
	}

	private void startCallers() {
		for (int i = 0; i < CALLERS; i++) {
			Thread caller = new Thread(this::claim, "caller-" + i);
			this.callers.add(caller);
			caller.start();
			Awaitility.await().atMost(LIMIT).until(() -> looksOf(caller) > 0);
		}
	}

	private void claim() {
		try {
			long position = this.claims.claim(System.nanoTime() + TimeUnit.MINUTES.toNanos(10));
			if (position >= 0) {
				this.claimed.add(position);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private int looksOf(Thread caller) {
		AtomicInteger count = this.looks.get(caller);
		return (count != null) ? count.get() : 0;
	}

	private int totalLooks() {
		return this.looks.values().stream().mapToInt(AtomicInteger::get).sum();
	}

}
