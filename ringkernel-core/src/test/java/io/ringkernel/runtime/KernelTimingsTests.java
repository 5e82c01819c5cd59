package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.RequestTimingListener;
import io.ringkernel.platform.PlanRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelTimingsTests {

	private static final long HANDLER_NANOS = Duration.ofMillis(20).toNanos();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final List<long[]> told = Collections.synchronizedList(new ArrayList<>());

	record Number(long value) {
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	private Kernel<Number, Number> start(RingKernelHandler<Number, Number> handler) {
		Kernel<Number, Number> kernel = this.runtime.define(KernelSpec.of("timed", Number.class, Number.class, handler,
				KernelOptions.builder().workers(2).requestTimeout(Duration.ofSeconds(30)).build()));
		kernel.timings()
			.addListener((total, queued, handling, delivery) -> this.told
				.add(new long[] { total, queued, handling, delivery }));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static Number takingItsTime(Number request) {
		long end = System.nanoTime() + HANDLER_NANOS;
		while (System.nanoTime() < end) {
			Thread.onSpinWait();
		}
		return request;
	}

	@Test
	void oneRequestInSixteenIsTimed() {
		Kernel<Number, Number> kernel = start((request) -> request);
		for (int i = 0; i < 1600; i++) {
			kernel.client().call(new Number(i));
		}
		assertThat(kernel.timings().total().count()).isCloseTo(100L, within(8L));
		assertThat(this.told).hasSize((int) kernel.timings().total().count());
	}

	@Test
	void theFirstRequestIsTimed() {
		Kernel<Number, Number> kernel = start((request) -> request);
		kernel.client().call(new Number(1));
		assertThat(kernel.timings().total().count()).isEqualTo(1);
	}

	@Test
	void everyRequestIsTimedOnDemand() {
		Kernel<Number, Number> kernel = start((request) -> request);
		this.runtime.timingInterval(1);
		for (int i = 0; i < 100; i++) {
			kernel.client().call(new Number(i));
		}
		assertThat(kernel.timings().total().count()).isEqualTo(100);
	}

	@Test
	void theIntervalHoldsForKernelsThatAreDefinedLater() {
		this.runtime.timingInterval(1);
		Kernel<Number, Number> kernel = start((request) -> request);
		for (int i = 0; i < 10; i++) {
			kernel.client().call(new Number(i));
		}
		assertThat(kernel.timings().total().count()).isEqualTo(10);
	}

	@Test
	void whichRequestsAreTimedFavoursNoSlot() {
		KernelTimings timings = new KernelTimings("any");
		int slots = 64;
		long[] bySlot = new long[slots];
		LongStream.range(0, 1 << 20)
			.filter(timings::isDue)
			.forEach((position) -> bySlot[(int) position & (slots - 1)]++);
		long expected = (1 << 20) / KernelTimings.DEFAULT_INTERVAL / slots;
		assertThat(LongStream.of(bySlot).boxed())
			.allSatisfy((count) -> assertThat(count).isCloseTo(expected, withinPercentage(5)));
	}

	@Test
	void oneOfARunIsTimedIfOneOfItsPositionsIs() {
		KernelTimings timings = new KernelTimings("any");
		for (int count = 0; count < 40; count++) {
			for (long first = 0; first < 600; first++) {
				assertThat(timings.isAnyDue(first, count)).as("%d from %d", count, first)
					.isEqualTo(LongStream.range(first, first + count).anyMatch(timings::isDue));
			}
		}
	}

	@Test
	void theTotalIsTheSumOfItsParts() {
		Kernel<Number, Number> kernel = start(KernelTimingsTests::takingItsTime);
		kernel.client().call(new Number(1));
		assertThat(this.told).singleElement().satisfies((times) -> {
			assertThat(times[1]).isPositive();
			assertThat(times[2]).isGreaterThanOrEqualTo(HANDLER_NANOS);
			assertThat(times[3]).isPositive();
			assertThat(times[0]).isEqualTo(times[1] + times[2] + times[3]);
		});
		assertThat(kernel.timings().handling().p50()).isGreaterThanOrEqualTo(HANDLER_NANOS);
	}

	@Test
	void futuresStreamsAndBatchesAreTimed() throws Exception {
		Kernel<Number, Number> kernel = start((request) -> request);
		kernel.timings().interval(1);
		CompletableFuture<Number> reply = kernel.client().submit(new Number(1));
		assertThat(reply).succeedsWithin(Duration.ofSeconds(30));
		kernel.client().callAll(List.of(new Number(2), new Number(3)));
		try (RequestStream<Number, Number> stream = kernel.client().openStream()) {
			stream.send(new Number(4));
			stream.receive();
		}
		assertThat(kernel.timings().total().count()).isEqualTo(4);
		assertThat(kernel.timings().queued().count()).isEqualTo(4);
	}

	@Test
	void aFailureOfTheHandlerIsTimed() {
		Kernel<Number, Number> kernel = start((request) -> {
			throw new IllegalStateException("no");
		});
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().call(new Number(1)));
		assertThat(kernel.timings().handling().count()).isEqualTo(1);
	}

	@Test
	void aListenerThatThrowsHarmsNobodyAndIsNotCalledAgain() {
		Kernel<Number, Number> kernel = start((request) -> request);
		kernel.timings().interval(1);
		int[] calls = new int[1];
		kernel.timings().addListener((total, queued, handling, delivery) -> {
			calls[0]++;
			throw new IllegalStateException("broken");
		});
		for (int i = 0; i < 3; i++) {
			assertThat(kernel.client().call(new Number(i))).isEqualTo(new Number(i));
		}
		assertThat(calls[0]).isEqualTo(1);
		assertThat(this.told).hasSize(3);
	}

	@Test
	void aListenerIsRemoved() {
		Kernel<Number, Number> kernel = start((request) -> request);
		kernel.timings().interval(1);
		List<Long> totals = new ArrayList<>();
		RequestTimingListener listener = (total, queued, handling, delivery) -> totals.add(total);
		kernel.timings().addListener(listener);
		kernel.client().call(new Number(1));
		kernel.timings().removeListener(listener);
		kernel.client().call(new Number(2));
		assertThat(totals).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, KernelTimings.MAX_INTERVAL + 1 })
	void anIntervalOutOfRangeIsRefused(int interval) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> this.runtime.timingInterval(interval))
			.withMessageContaining("ringkernel.timing-interval")
			.withMessageContaining(String.valueOf(interval))
			.withMessageContaining("from 1 to 1048576");
	}

}
