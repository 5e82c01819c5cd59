package io.ringkernel.spring.dashboard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link KernelHistory}.
 */
class KernelHistoryTests {

	private final RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CPU, null, null));

	private final SetClock clock = new SetClock();

	private final KernelHistory history = new KernelHistory(this.runtime, this.clock);

	@AfterEach
	void close() {
		this.history.destroy();
		this.runtime.close();
	}

	record Number(int value) {
	}

	private Kernel<Number, Number> define(String id) {
		return this.runtime.define(KernelSpec.of(id, Number.class, Number.class, (request) -> {
			if (request.value() < 0) {
				throw new IllegalArgumentException("negative");
			}
			return request;
		}, KernelOptions.DEFAULTS));
	}

	private Kernel<Number, Number> run(String id) {
		this.runtime.timingInterval(1);
		Kernel<Number, Number> kernel = define(id);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private KernelHistory.Part all() {
		return this.history.since(KernelHistory.Position.START);
	}

	private List<HistorySample> samples(String id) {
		return all().kernels().get(id);
	}

	private void sampleAfter(Duration time) {
		this.clock.now = this.clock.now.plus(time);
		this.history.sample();
	}

	@Test
	void aSampleSaysWhatOneIntervalWasLike() {
		Kernel<Number, Number> kernel = run("twice");
		kernel.client().call(new Number(1));
		this.history.sample();
		for (int i = 0; i < 20; i++) {
			kernel.client().call(new Number(i));
		}
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> kernel.client().call(new Number(-1)));
		}
		sampleAfter(KernelHistory.STEP);
		sampleAfter(KernelHistory.STEP);
		assertThat(samples("twice")).hasSize(2);
		HistorySample first = samples("twice").get(0);
		assertThat(first.at()).isEqualTo(this.clock.millis() - KernelHistory.STEP.toMillis());
		assertThat(first.requests()).isCloseTo(5, within(0.01));
		assertThat(first.errors()).isCloseTo(1, within(0.01));
		assertThat(first.p50()).isPositive();
		assertThat(first.p99()).isGreaterThanOrEqualTo(first.p50());
		assertThat(first.busy()).isNull();
		assertThat(samples("twice").get(1)).isEqualTo(new HistorySample(this.clock.millis(), 0, 0, null, null, null));
	}

	@Test
	void keepsFifteenMinutes() {
		define("twice");
		this.history.sample();
		for (int i = 0; i < 200; i++) {
			sampleAfter(KernelHistory.STEP);
		}
		assertThat(samples("twice")).hasSize(180);
		assertThat(samples("twice").get(0).at())
			.isGreaterThanOrEqualTo(this.clock.millis() - KernelHistory.SPAN.toMillis());
	}

	@Test
	void keepsNothingOlderThanFifteenMinutes() {
		define("twice");
		this.history.sample();
		sampleAfter(KernelHistory.STEP);
		this.clock.now = this.clock.now.plus(KernelHistory.SPAN.plusSeconds(1));
		assertThat(samples("twice")).isEmpty();
		assertThat(all().events()).isEmpty();
	}

	@Test
	void tellsAReaderOnlyWhatItHasNotRead() {
		define("twice");
		this.history.sample();
		sampleAfter(KernelHistory.STEP);
		KernelHistory.Part before = all();
		assertThat(before.events()).hasSize(1);
		assertThat(this.history.since(before.position()).kernels().get("twice")).isEmpty();
		assertThat(this.history.since(before.position()).events()).isEmpty();
		sampleAfter(KernelHistory.STEP);
		this.history.onHostEvent(new KernelHostLost(7, "it ended by signal 9", Set.of()));
		KernelHistory.Part after = this.history.since(before.position());
		assertThat(after.kernels().get("twice")).hasSize(1);
		assertThat(after.events()).singleElement()
			.satisfies((event) -> assertThat(event.title()).isEqualTo("kernel host lost"));
	}

	@Test
	void anIntervalThatEndsBeforeItBeginsIsLeftOut() {
		define("twice");
		this.history.sample();
		sampleAfter(Duration.ofSeconds(-30));
		assertThat(samples("twice")).isEmpty();
		sampleAfter(KernelHistory.STEP);
		assertThat(samples("twice")).hasSize(1);
	}

	@Test
	void forgetsAKernelThatIsRemoved() {
		Kernel<Number, Number> kernel = define("twice");
		this.history.sample();
		sampleAfter(KernelHistory.STEP);
		this.runtime.remove(kernel);
		sampleAfter(KernelHistory.STEP);
		assertThat(all().kernels()).isEmpty();
	}

	@Test
	void keepsNoMoreKernelsAndEventsThanItSays() {
		for (int i = 0; i <= KernelHistory.MOST_KERNELS; i++) {
			define("kernel-" + i);
		}
		this.history.sample();
		assertThat(all().kernels()).hasSize(KernelHistory.MOST_KERNELS).containsKey("kernel-0");
		for (int i = 0; i <= KernelHistory.MOST_EVENTS; i++) {
			this.history.onHostEvent(new KernelHostLost(i, "it ended", Set.of()));
		}
		assertThat(all().events()).hasSize(KernelHistory.MOST_EVENTS);
		assertThat(all().events().get(0).text()).contains("host 1 ");
	}

	@Test
	void isToldWhatHappensToKernels() throws Exception {
		this.runtime.addListener(this.history);
		Kernel<Number, Number> kernel = run("twice");
		kernel.deactivate();
		assertThat(this.runtime.awaitListeners(Duration.ofSeconds(10))).isTrue();
		assertThat(all().events()).extracting(HistoryEvent::title)
			.containsExactly("application started", "active", "inactive");
		assertThat(all().events()).extracting(HistoryEvent::kernel).containsExactly(null, "twice", "twice");
	}

	private static final class SetClock extends Clock {

		private Instant now = Instant.parse("2026-09-21T14:00:00Z");

		@Override
		public ZoneId getZone() {
			return ZoneId.of("UTC");
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return this.now;
		}

	}

}
