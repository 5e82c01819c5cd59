package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.List;
import java.util.Map;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.DeviceStatus;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what {@link KernelDetails} says of devices that nothing can run on.
 */
class LostDeviceTests {

	private static final ExecutionPlan PLAN = new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT,
			Transport.MAPPED, List.of("why"), Map.of());

	private static final Throwable FAILURE = new IllegalStateException("The host has ended.");

	@Test
	void aRestartIsAdvisedOnlyIfNothingElseHelps() {
		assertThat(KernelDetails.lost(List.of(new DeviceStatus(PLAN, FAILURE, false))))
			.containsExactly("This process has lost the device: The host has ended. Restart the application.");
		assertThat(KernelDetails.lost(List.of(new DeviceStatus(PLAN, FAILURE, true))))
			.containsExactly("Nothing runs on the device now: The host has ended.");
		assertThat(KernelDetails.lost(List.of(new DeviceStatus(PLAN, null, true)))).isEmpty();
	}

}
