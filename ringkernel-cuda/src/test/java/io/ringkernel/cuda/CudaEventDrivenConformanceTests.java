package io.ringkernel.cuda;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.BackendConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The conformance suite on a device, launched on demand and mapped.
 */
@RequiresGpu
@Tag("every-platform")
class CudaEventDrivenConformanceTests extends BackendConformanceTests {

	@Override
	protected BackendProvider provider() {
		return new CudaBackendProvider();
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED);
	}

	@Override
	protected TestKernels kernels() {
		return new CudaTestKernels();
	}

	/** {@code kernel} or {@code graph}, where a platform is played that decides it. */
	@Test
	@EnabledIfSystemProperty(named = "ringkernel.launched-by", matches = ".+")
	void isLaunchedAsThePlatformDecides() {
		assertThat(provider().plan(plan())).isInstanceOfSatisfying(PlanOffer.Accepted.class,
				(accepted) -> assertThat(accepted.plan().reasons()).anySatisfy((reason) -> assertThat(reason)
					.startsWith("launched by " + System.getProperty("ringkernel.launched-by"))));
	}

}
