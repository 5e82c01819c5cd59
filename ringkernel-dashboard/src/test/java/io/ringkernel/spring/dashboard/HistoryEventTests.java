package io.ringkernel.spring.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.KernelQuarantined;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.KernelRemoval;
import io.ringkernel.runtime.KernelStateChange;
import io.ringkernel.runtime.KernelStateRecovery;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HistoryEvent}.
 */
class HistoryEventTests {

	private static final RingKernelRuntime runtime = RingKernelRuntime
		.open(new PlanRequest(BackendKind.CPU, null, null));

	private static final Kernel<Number, Number> kernel = runtime
		.define(KernelSpec.of("twice", Number.class, Number.class, (request) -> request, KernelOptions.DEFAULTS));

	@AfterAll
	static void close() {
		runtime.close();
	}

	record Number(int value) {
	}

	private static void assertShown(KernelEvent event, boolean problem, String title, String text) {
		assertThat(HistoryEvent.of(event)).contains(new HistoryEvent.Content("twice", problem, title, text));
	}

	private static void assertShown(HostEvent event, String kernelId, boolean problem, String title, String text) {
		assertThat(HistoryEvent.of(event)).isEqualTo(new HistoryEvent.Content(kernelId, problem, title, text));
	}

	@Test
	void aFailureHasItsCause() {
		KernelLaunchException ownException = new KernelLaunchException("twice", "has no image", null);
		assertShown(new KernelStateChange(kernel, KernelState.ACTIVE, KernelState.FAILED, ownException), true, "failed",
				"twice failed: " + ownException.getMessage());
		assertShown(
				new KernelStateChange(kernel, KernelState.ACTIVE, KernelState.FAILED,
						new IllegalStateException("no memory")),
				true, "failed", "twice failed: java.lang.IllegalStateException: no memory");
	}

	@ParameterizedTest
	@EnumSource(names = { "ACTIVE", "INACTIVE", "TERMINATED" })
	void aStateThatLastsIsShown(KernelState state) {
		assertShown(new KernelStateChange(kernel, KernelState.LAUNCHED, state, null), false, ConfiguredName.of(state),
				"twice is " + state);
	}

	@ParameterizedTest
	@EnumSource(names = { "CREATED", "LAUNCHED", "TERMINATING" })
	void aStateOnTheWayToAnotherIsNotShown(KernelState state) {
		assertThat(HistoryEvent.of(new KernelStateChange(kernel, KernelState.ACTIVE, state, null))).isEmpty();
	}

	@Test
	void aPlanIsShownBesideTheOneBefore() {
		assertShown(new KernelPlanChange(kernel, kernel.plan(), kernel.plan(), true, "The driver hangs."), true,
				"plan degraded",
				"twice runs by cpu, persistent, direct instead of cpu, persistent, direct: The driver hangs.");
		assertShown(new KernelPlanChange(kernel, kernel.plan(), kernel.plan(), false, "The device is back."), false,
				"plan restored",
				"twice runs by cpu, persistent, direct instead of cpu, persistent, direct: The device is back.");
	}

	@Test
	void aRecoverySaysWhatStateTheKernelHas() {
		assertShown(new KernelStateRecovery(kernel, Instant.parse("2026-09-21T14:00:00Z"), "its device was lost"),
				false, "state restored", "twice has the state of 2026-09-21T14:00:00Z: its device was lost");
		assertShown(new KernelStateRecovery(kernel, null, "there is no snapshot"), true, "state lost",
				"twice began with fresh state: there is no snapshot");
	}

	@Test
	void aRemovalIsNotShown() {
		assertThat(HistoryEvent.of(new KernelRemoval(kernel))).isEmpty();
	}

	@Test
	void aHostConcernsAllKernels() {
		assertShown(new KernelHostLost(7, "it ended by signal 9", Set.of("twice")), null, true, "kernel host lost",
				"Kernel host 7 was lost: it ended by signal 9");
		assertShown(new KernelHostRestarted(8, Duration.ofMillis(230)), null, false, "kernel host restarted",
				"Kernel host 8 runs after an outage of 230 ms");
	}

	@Test
	void aQuarantineConcernsOneKernel() {
		assertShown(new KernelQuarantined("twice", "it ended by signal 11"), "twice", true, "quarantined",
				"twice is kept from the kernel host until it is relaunched: it ended by signal 11");
	}

}
