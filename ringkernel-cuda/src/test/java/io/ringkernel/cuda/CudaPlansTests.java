package io.ringkernel.cuda;

import java.util.List;

import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.probe.Findings;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedPlatform;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which way kernels are run, by what the driver was seen to do.
 */
@Timeout(60)
class CudaPlansTests {

	private static final PlanRequest PERSISTENT = new PlanRequest(null, ExecutionMode.PERSISTENT, null);

	@Test
	void whereEverythingWorksAKernelStaysOverMappedMemory() {
		ExecutionPlan plan = accepted(SimulatedPlatform.LINUX, PlanRequest.AUTO);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.PERSISTENT);
		assertThat(plan.transport()).isEqualTo(Transport.MAPPED);
	}

	@Test
	void aKernelThatWouldBlockTheDriverIsLaunchedOnDemand() {
		ExecutionPlan plan = accepted(SimulatedPlatform.LINUX.withoutWorkBeside(), PlanRequest.AUTO);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
		assertThat(plan.transport()).isEqualTo(Transport.MAPPED);
		assertThat(plan.reasons()).contains("not persistent/mapped, because a kernel that stays would block the driver")
			.anySatisfy((reason) -> assertThat(reason)
				.matches("launched by (kernel|graph): [0-9.]+ us by kernel, [0-9.]+ us by graph"));
	}

	@Test
	void aKernelThatDoesNotSeeTheHostWhileItRunsIsLaunchedOnDemand() {
		ExecutionPlan plan = accepted(SimulatedPlatform.LINUX.withoutHearing(), PlanRequest.AUTO);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
		assertThat(plan.reasons())
			.contains("not persistent/mapped, because a running kernel does not see what the host writes");
	}

	@Test
	void aKernelWhoseTimeIsLimitedIsLaunchedOnDemand() {
		ExecutionPlan plan = accepted(CudaBackendProviderTests.with(9, 0, false, true, true, true), PlanRequest.AUTO);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
		assertThat(plan.reasons())
			.contains("not persistent/mapped, because the driver limits how long a kernel may run");
	}

	@Test
	void aDeviceThatRunsOneKernelAtATimeIsLaunchedOnDemand() {
		ExecutionPlan plan = accepted(CudaBackendProviderTests.with(9, 0, false, false, true, false), PlanRequest.AUTO);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
	}

	@Test
	void aModeThatThePlatformCannotHonourIsRefusedWithAReasonAndARemedy() {
		PlanOffer.Refused refused = (PlanOffer.Refused) offer(SimulatedPlatform.LINUX.withoutWorkBeside(), PERSISTENT);
		assertThat(refused.reason())
			.isEqualTo("not persistent/mapped, because a kernel that stays would block the driver");
		assertThat(refused.remedy()).isEqualTo("Set ringkernel.mode to auto or event-driven.");
	}

	@Test
	void cudaThatWasDemandedInAModeThatItCannotHonourFailsAtStartup() {
		SimulatedDriver driver = on(SimulatedPlatform.LINUX.withoutWorkBeside());
		CudaBackendProvider provider = new CudaBackendProvider(new CudaPlatform(driver));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, null),
					List.of(provider, new CpuBackendProvider())))
			.withMessageContaining("would block the driver")
			.withMessageContaining("Set ringkernel.mode to auto or event-driven.");
	}

	@Test
	void whereHostMemoryCannotBeMappedItIsCopied() {
		ExecutionPlan plan = accepted(SimulatedPlatform.WSL2, PlanRequest.AUTO);
		assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
		assertThat(plan.transport()).isEqualTo(Transport.BRIDGED);
		assertThat(plan.reasons()).contains("not event-driven/mapped, because host memory cannot be mapped");
	}

	@Test
	void aBridgeIsHonouredWhereItIsAskedFor() {
		ExecutionPlan plan = accepted(SimulatedPlatform.LINUX, new PlanRequest(null, null, Transport.BRIDGED));
		assertThat(plan.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
		assertThat(plan.transport()).isEqualTo(Transport.BRIDGED);
		assertThat(plan.reasons()).contains("transport 'bridged' was asked for");
	}

	@Test
	void aBridgeToAKernelThatStaysIsRefusedWithTheWaysThatThereAre() {
		PlanOffer.Refused refused = (PlanOffer.Refused) offer(SimulatedPlatform.LINUX,
				new PlanRequest(null, ExecutionMode.PERSISTENT, Transport.BRIDGED));
		assertThat(refused.reason())
			.isEqualTo("a device has no way to honour mode 'persistent' and transport 'bridged'; it runs kernels "
					+ "persistent/mapped, event-driven/mapped, event-driven/bridged");
		assertThat(refused.remedy()).isEqualTo("Set ringkernel.mode and ringkernel.transport to auto.");
	}

	@Test
	void autoNeverFails() {
		SimulatedDriver driver = on(SimulatedPlatform.WSL2);
		CudaBackendProvider provider = new CudaBackendProvider(new CudaPlatform(driver));
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(provider, new CpuBackendProvider()))) {
			assertThat(runtime.plan().reasons()).isNotEmpty();
		}
	}

	@Test
	void aWayThatHasFailedIsFollowedByTheNext() {
		CudaPlatform platform = new CudaPlatform(on(SimulatedPlatform.LINUX));
		CudaPlans plans = new CudaPlans((Findings.Usable) platform.findings(0));
		ExecutionPlan first = ((PlanOffer.Accepted) plans.choose(PlanRequest.AUTO)).plan();
		ExecutionPlan second = ((PlanOffer.Accepted) plans.after(first, "it has failed", PlanRequest.AUTO)).plan();
		assertThat(second.mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
		assertThat(second.transport()).isEqualTo(Transport.MAPPED);
		assertThat(second.reasons()).contains("not persistent/mapped, because it has failed");
	}

	@Test
	void aWayThatWasAskedForIsFollowedByNone() {
		CudaPlatform platform = new CudaPlatform(on(SimulatedPlatform.LINUX));
		CudaPlans plans = new CudaPlans((Findings.Usable) platform.findings(0));
		PlanRequest asked = new PlanRequest(null, ExecutionMode.PERSISTENT, Transport.MAPPED);
		ExecutionPlan first = ((PlanOffer.Accepted) plans.choose(asked)).plan();
		assertThat(plans.after(first, "it has failed", asked)).isInstanceOf(PlanOffer.Refused.class);
	}

	private static SimulatedDriver on(SimulatedPlatform platform) {
		SimulatedDriver driver = new SimulatedDriver();
		driver.context().platform(platform);
		return driver;
	}

	private static PlanOffer offer(SimulatedPlatform platform, PlanRequest request) {
		return new CudaBackendProvider(new CudaPlatform(on(platform))).plan(request);
	}

	private static ExecutionPlan accepted(SimulatedPlatform platform, PlanRequest request) {
		return ((PlanOffer.Accepted) offer(platform, request)).plan();
	}

	private static ExecutionPlan accepted(SimulatedDriver driver, PlanRequest request) {
		return ((PlanOffer.Accepted) new CudaBackendProvider(new CudaPlatform(driver)).plan(request)).plan();
	}

	@Test
	void aRemedyNamesWhatWasAskedForAndNothingElse() {
		SimulatedDriver driver = new SimulatedDriver();
		driver.context().platform(SimulatedPlatform.WSL2);
		CudaPlans plans = new CudaPlans((Findings.Usable) new CudaPlatform(driver).findings(0));
		PlanOffer offer = plans.choose(new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, null));
		assertThat(((PlanOffer.Refused) offer).remedy()).isEqualTo("Set ringkernel.mode to auto or event-driven.");
	}

}
