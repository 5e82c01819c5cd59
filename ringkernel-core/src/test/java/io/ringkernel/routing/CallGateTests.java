package io.ringkernel.routing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.conformance.Concurrently;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallGateTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final CallGate gate = new CallGate();

	@Test
	void whoIsInsideHoldsUpTheClosing() throws Exception {
		int line = this.gate.enter(Duration.ZERO);
		assertThat(this.gate.close(System.nanoTime())).isFalse();
		this.gate.open();
		this.gate.leave(line);
		assertThat(this.gate.close(in(LIMIT))).isTrue();
	}

	@Test
	void aClosedGateIsPassedOnceItIsOpen() throws Exception {
		assertThat(this.gate.close(in(LIMIT))).isTrue();
		assertThat(this.gate.enter(Duration.ZERO)).isEqualTo(CallGate.CLOSED);
		CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> enter(LIMIT));
		this.gate.open();
		assertThat(waiting).succeedsWithin(LIMIT).isNotEqualTo(CallGate.CLOSED);
	}

	@Test
	void whoDidNotGetInIsNotInside() throws Exception {
		assertThat(this.gate.close(in(LIMIT))).isTrue();
		assertThat(this.gate.enter(Duration.ofMillis(1))).isEqualTo(CallGate.CLOSED);
		this.gate.open();
		assertThat(this.gate.close(System.nanoTime())).isTrue();
	}

	@Test
	void nobodyIsInsideWhileItIsClosed() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger closings = new AtomicInteger();
		Concurrently.Running callers = Concurrently.start(4, (caller) -> {
			while (closings.get() < 100) {
				int line = this.gate.enter(LIMIT);
				inside.incrementAndGet();
				inside.decrementAndGet();
				this.gate.leave(line);
			}
		});
		for (int i = 0; i < 100; i++) {
			assertThat(this.gate.close(in(LIMIT))).isTrue();
			assertThat(inside).hasValue(0);
			this.gate.open();
			closings.incrementAndGet();
		}
		callers.join(LIMIT);
	}

	private int enter(Duration patience) {
		try {
			return this.gate.enter(patience);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static long in(Duration duration) {
		return System.nanoTime() + duration.toNanos();
	}

}
