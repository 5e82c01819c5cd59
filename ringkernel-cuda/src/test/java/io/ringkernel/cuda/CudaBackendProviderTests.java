package io.ringkernel.cuda;

import java.time.Duration;
import java.util.stream.Stream;

import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class CudaBackendProviderTests {

	@Test
	void aDeviceIsUsedPersistentAndMappedAndDescribed() {
		ExecutionPlan plan = accepted(new SimulatedDriver());
		assertThat(plan.backend()).isEqualTo(BackendKind.CUDA);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.PERSISTENT);
		assertThat(plan.transport()).isEqualTo(Transport.MAPPED);
		assertThat(plan.platform()).containsEntry("device", "Simulated")
			.containsEntry("compute-capability", "9.0")
			.containsEntry("driver", "CUDA 13.0")
			.containsEntry("memory", "16.0 GiB");
		assertThat(plan.reasons()).anySatisfy((reason) -> assertThat(reason).contains("'Simulated'", "9.0", "16.0 GiB"))
			.contains("the device reads and writes mapped host memory");
	}

	static Stream<Arguments> platformsWithoutCuda() {
		return Stream.of(
				Arguments.of(
						new SimulatedDriver()
							.failing(new CudaUnavailableException("no CUDA driver is installed", "Install it.", null)),
						"no CUDA driver is installed"),
				Arguments.of(
						new SimulatedDriver()
							.failing(new CudaException("cuInit", new CudaStatus(34, "CUDA_ERROR_STUB_LIBRARY"))),
						"CUDA_ERROR_STUB_LIBRARY"),
				Arguments.of(
						new SimulatedDriver()
							.failing(new CudaException("cuInit", new CudaStatus(100, "CUDA_ERROR_NO_DEVICE"))),
						"there is no CUDA device"),
				Arguments.of(new SimulatedDriver().failing(new CudaDeadlineException("cuInit", Duration.ofSeconds(20))),
						"did not return from cuInit"),
				Arguments.of(new SimulatedDriver().failing(new IllegalStateException("odd")), "odd"),
				Arguments.of(new SimulatedDriver().version(11_080), "CUDA 11.8 and 12.4 is needed"),
				Arguments.of(new SimulatedDriver().devices(0), "there is no CUDA device"),
				Arguments.of(with(6, 1, false, false, true, true), "compute capability 6.1 and 7.0 is needed"),
				Arguments.of(with(9, 0, true, false, true, true), "lets nobody use it"));
	}

	static SimulatedDriver with(int major, int minor, boolean prohibited, boolean timeLimit, boolean mapping,
			boolean concurrent) {
		return new SimulatedDriver().properties(new DeviceProperties("Old", major, minor, 8, 1L << 32, 1024, 48_000,
				prohibited, timeLimit, mapping, true, concurrent, true, true, 1_000_000_000));
	}

	@ParameterizedTest(name = "{1}")
	@MethodSource("platformsWithoutCuda")
	void whatIsMissingIsToldApartWithARemedy(SimulatedDriver driver, String reason) {
		PlanOffer.Refused refused = refused(driver, PlanRequest.AUTO);
		assertThat(refused.reason()).contains(reason).doesNotEndWith(".");
		assertThat(refused.remedy()).endsWith(".");
	}

	@Test
	void theMachineIsLookedAtOnce() {
		SimulatedDriver driver = new SimulatedDriver().devices(0);
		CudaBackendProvider provider = new CudaBackendProvider(new CudaPlatform(driver));
		assertThat(provider.plan(PlanRequest.AUTO)).isEqualTo(provider.plan(PlanRequest.AUTO));
		assertThat(driver.initializations()).isEqualTo(1);
	}

	@Test
	void anInterruptDuringTheLookIsKeptAndLeavesTheDeviceUsable() {
		Thread.currentThread().interrupt();
		PlanOffer offer;
		boolean kept;
		try {
			offer = new CudaBackendProvider(new CudaPlatform(CudaDriver.bounded(new SimulatedDriver())))
				.plan(PlanRequest.AUTO);
		}
		finally {
			kept = Thread.interrupted();
		}
		assertThat(offer).isInstanceOf(PlanOffer.Accepted.class);
		assertThat(kept).isTrue();
	}

	@Test
	void anEventDrivenModeIsHonouredAndSaidToBeAskedFor() {
		PlanRequest request = new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, null);
		ExecutionPlan plan = accepted(new SimulatedDriver(), request);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
		assertThat(plan.reasons()).contains("mode 'event-driven' was asked for");
	}

	@Test
	void theTransportOfTheCpuIsRefused() {
		PlanRequest request = new PlanRequest(BackendKind.CUDA, null, Transport.DIRECT);
		assertThat(refused(new SimulatedDriver(), request).remedy()).contains("ringkernel.transport");
	}

	/** No call of a driver is waited for as long. */
	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void thisMachineIsPlannedForWhateverItIs() {
		assertThat(new CudaBackendProvider().plan(PlanRequest.AUTO)).isNotNull();
	}

	private static ExecutionPlan accepted(SimulatedDriver driver) {
		return accepted(driver, PlanRequest.AUTO);
	}

	private static ExecutionPlan accepted(SimulatedDriver driver, PlanRequest request) {
		return ((PlanOffer.Accepted) new CudaBackendProvider(new CudaPlatform(driver)).plan(request)).plan();
	}

	private static PlanOffer.Refused refused(SimulatedDriver driver, PlanRequest request) {
		return (PlanOffer.Refused) new CudaBackendProvider(new CudaPlatform(driver)).plan(request);
	}

}
