package io.ringkernel.cuda.loop;

import java.time.Duration;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.loop.FaultVerdict.Kind;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FaultVerdictTests {

	private static final String HINT = ", as it waits for kernels that run";

	@ParameterizedTest
	@ValueSource(ints = { 700, 710, 714, 715, 716, 717, 718, 719, 721 })
	void aFaultOfAKernelLosesTheDeviceAfterAllKernelsHaveEnded(int code) {
		FaultVerdict verdict = ofStatus(code);
		assertThat(verdict.kind()).isEqualTo(Kind.DEVICE_LOST);
		assertThat(verdict.ended()).isTrue();
		assertThat(verdict.failure()).isInstanceOf(DeviceLostException.class)
			.hasMessageContaining("lost the device: cuStreamQuery failed with CUDA_ERROR_" + code);
	}

	@ParameterizedTest
	@ValueSource(ints = { 4, 46, 201, 214, 220, 226, 709, 810, 911, 999 })
	void aDeviceThatIsGoneDoesNotProveThatAKernelHasEnded(int code) {
		FaultVerdict verdict = ofStatus(code);
		assertThat(verdict.kind()).isEqualTo(Kind.DEVICE_LOST);
		assertThat(verdict.ended()).isFalse();
		assertThat(verdict.failure()).isInstanceOf(CudaException.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 304, 400, 701, 801 })
	void aRefusalFailsThePlanAndProvesNothing(int code) {
		FaultVerdict verdict = ofStatus(code);
		assertThat(verdict.kind()).isEqualTo(Kind.PLAN_FAILED);
		assertThat(verdict.ended()).isFalse();
		assertThat(verdict.failure()).isInstanceOf(PlanFailedException.class)
			.hasMessageContaining("cuStreamQuery failed with CUDA_ERROR_" + code);
	}

	@Test
	void aKernelThatTookTooLongHasEndedAndMayRunOnAnotherPlan() {
		FaultVerdict verdict = ofStatus(702);
		assertThat(verdict.isDeviceLost()).isTrue();
		assertThat(verdict.ended()).isTrue();
		assertThat(verdict.failure()).isInstanceOf(PlanFailedException.class)
			.hasMessageContaining("ended the kernel for the time it took");
	}

	@Test
	void aDriverThatDoesNotReturnFailsThePlan() {
		FaultVerdict verdict = FaultVerdict.of("echo",
				new CudaDeadlineException("cuLaunchKernel", Duration.ofSeconds(10)), HINT);
		assertThat(verdict.kind()).isEqualTo(Kind.PLAN_FAILED);
		assertThat(verdict.ended()).isFalse();
		assertThat(verdict.failure()).hasMessageContaining("did not return from cuLaunchKernel in time" + HINT);
	}

	@Test
	void anythingElseFailsTheKernel() {
		IllegalStateException defect = new IllegalStateException("defect");
		assertThat(FaultVerdict.of("echo", defect, "")).isEqualTo(new FaultVerdict(Kind.KERNEL_FAILED, false, defect));
	}

	private static FaultVerdict ofStatus(int code) {
		return FaultVerdict.of("echo", new CudaException("cuStreamQuery", new CudaStatus(code, "CUDA_ERROR_" + code)),
				HINT);
	}

}
