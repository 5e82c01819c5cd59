package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ringkernel.KernelState;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.observe.KernelStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link KernelHealthIndicator}.
 */
class KernelHealthIndicatorTests {

	private final Kernel<?, ?> kernel = mock();

	private final KernelHealthIndicator indicator = new KernelHealthIndicator(this.kernel, null);

	@ParameterizedTest
	@CsvSource({ "CREATED,OUT_OF_SERVICE", "LAUNCHED,OUT_OF_SERVICE", "ACTIVE,UP", "INACTIVE,OUT_OF_SERVICE",
			"TERMINATING,OUT_OF_SERVICE", "TERMINATED,OUT_OF_SERVICE", "FAILED,DOWN" })
	void statusFollowsTheState(KernelState state, String status) {
		given(this.kernel.status()).willReturn(status(state, null));
		assertThat(this.indicator.health().getStatus()).isEqualTo(new Status(status));
	}

	@Test
	void detailsAreRawNumbers() {
		given(this.kernel.status()).willReturn(status(KernelState.FAILED, "it broke"));
		assertThat(this.indicator.health().getDetails()).containsExactly(
				Map.entry("problem", "The kernel has failed. Relaunch it, and look at lastFailure."),
				Map.entry("state", "FAILED"), Map.entry("backend", "cuda"), Map.entry("mode", "event-driven"),
				Map.entry("transport", "mapped"), Map.entry("device", 0), Map.entry("processed", 1L),
				Map.entry("failed", 2L), Map.entry("timedOut", 3L), Map.entry("rejected", 4L), Map.entry("lost", 16L),
				Map.entry("replayed", 17L), Map.entry("inFlight", 5), Map.entry("slots", 6),
				Map.entry("occupancy", 5 / 6.0), Map.entry("oldestRequestAgeMillis", 13L), Map.entry("stuck", false),
				Map.entry("memoryBytes", 7L), Map.entry("deviceMemoryBytes", 15L), Map.entry("workers", 8),
				Map.entry("activeWorkers", 9), Map.entry("heartbeat", 10L), Map.entry("heartbeatAgeMillis", 14L),
				Map.entry("loopLaunches", 11L), Map.entry("restarts", 12L), Map.entry("reasons", List.of("why")),
				Map.entry("lastFailure", "it broke"));
	}

	@Test
	void kernelWhoseDeviceIsLostAsksForARestart() {
		given(this.kernel.status()).willReturn(status(KernelState.FAILED, "it broke"));
		given(this.kernel.isDeviceLost()).willReturn(true);
		assertThat((String) this.indicator.health().getDetails().get("problem")).contains("lost its device",
				"Restart the application");
	}

	@Test
	void errorIsDown() {
		given(this.kernel.status()).willThrow(new NoClassDefFoundError("jcuda/driver/JCudaDriver"));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("error",
				"java.lang.NoClassDefFoundError: jcuda/driver/JCudaDriver");
	}

	@Test
	void kernelThatIsStuckIsDown() {
		given(this.kernel.status()).willReturn(status(KernelState.ACTIVE, BackendKind.CPU, true, null));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("stuck", true);
		assertThat((String) health.getDetails().get("problem")).startsWith("Nothing was answered")
			.contains("13 ms", "request-timeout");
	}

	@Test
	void kernelOnTheCpuIsUpUnlessCudaWasDemanded() {
		given(this.kernel.status()).willReturn(status(KernelState.ACTIVE, BackendKind.CPU, false, null));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		assertThat(this.indicator.health().getDetails()).containsEntry("reasons", List.of("why"))
			.doesNotContainKey("problem");
		assertThat(new KernelHealthIndicator(this.kernel, BackendKind.CPU).health().getStatus()).isEqualTo(Status.UP);
		Health demanded = new KernelHealthIndicator(this.kernel, BackendKind.CUDA).health();
		assertThat(demanded.getStatus()).isEqualTo(Status.DOWN);
		assertThat((String) demanded.getDetails().get("problem")).contains("ringkernel.backend is 'cuda'");
	}

	private static KernelStatus status(KernelState state, @Nullable String lastFailure) {
		return status(state, BackendKind.CUDA, false, lastFailure);
	}

	private static KernelStatus status(KernelState state, BackendKind backend, boolean stuck,
			@Nullable String lastFailure) {
		ExecutionPlan plan = new ExecutionPlan(backend, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED, List.of("why"),
				Map.of());
		return new KernelStatus("any", state, plan, 1, 2, 3, 4, 16, 17, 5, 6, 7, 8, 9, 10, 11, 12,
				Duration.ofMillis(13), Duration.ofMillis(14), 15, stuck, lastFailure);
	}

}
