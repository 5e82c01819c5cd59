package io.ringkernel.spring.dashboard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ringkernel.KernelState;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for what {@link KernelSeries} makes of the counts of a kernel on a device.
 */
class KernelSeriesTests {

	private static final int WORKERS = 4;

	private final Kernel<?, ?> kernel = mock();

	@BeforeEach
	void count() {
		given(this.kernel.timings()).willReturn(new KernelTimings("any"));
		count(1000, Duration.ofSeconds(100));
	}

	private void count(long processed, @Nullable Duration busy) {
		ExecutionPlan plan = new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.DIRECT, 0, false,
				List.of(), Map.of());
		given(this.kernel.status()).willReturn(new KernelStatus("any", KernelState.ACTIVE, plan, processed, 0, 0, 0, 0,
				0, 0, 64, 0, WORKERS, WORKERS, 0, 1, 0, Duration.ZERO, Duration.ZERO, 0, false, null));
		given(this.kernel.deviceTimes())
			.willReturn(Optional.ofNullable(busy).map((time) -> new DeviceTimes(processed, time.toNanos(), List.of())));
	}

	private KernelSeries begun() {
		return new KernelSeries(this.kernel, 0, 10);
	}

	private static HistorySample last(KernelSeries series) {
		List<HistorySample> samples = series.after(0);
		return samples.get(samples.size() - 1);
	}

	@Test
	void busyIsTheShareOfTheTimeOfAllWorkers() {
		KernelSeries series = begun();
		count(2000, Duration.ofSeconds(105));
		series.sample(5000);
		assertThat(last(series).busy()).isCloseTo(5.0 / (5 * WORKERS), within(1e-9));
		assertThat(last(series).requests()).isCloseTo(200, within(1e-9));
	}

	@Test
	void aLaunchCountsItsTimeFromZero() {
		KernelSeries series = begun();
		count(2000, Duration.ofSeconds(2));
		series.sample(5000);
		assertThat(last(series).busy()).isCloseTo(2.0 / (5 * WORKERS), within(1e-9));
	}

	/** The device counts at its highest clock rate. */
	@Test
	void workersAreNotMoreThanBusy() {
		KernelSeries series = begun();
		count(2000, Duration.ofSeconds(200));
		series.sample(5000);
		assertThat(last(series).busy()).isEqualTo(1);
	}

	@Test
	void whatADeviceDoesNotTellIsNotKnown() {
		KernelSeries series = begun();
		count(2000, null);
		series.sample(5000);
		assertThat(last(series).busy()).isNull();
	}

	@Test
	void aKernelThatHasLostAReplicaHasNoNegativeRate() {
		KernelSeries series = begun();
		count(400, null);
		series.sample(5000);
		assertThat(last(series).requests()).isZero();
	}

}
