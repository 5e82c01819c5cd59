package io.ringkernel.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

import org.springframework.context.annotation.Bean;

/**
 * A device that is not there until it appears; Java threads play it.
 */
final class AppearingDevice implements BackendProvider {

	private static final AtomicInteger LOOKS = new AtomicInteger();

	private static volatile boolean present;

	static void reset() {
		present = false;
		LOOKS.set(0);
	}

	static void appear() {
		present = true;
	}

	/**
	 * How often it was looked for.
	 */
	static int looks() {
		return LOOKS.get();
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		LOOKS.incrementAndGet();
		return present
				? new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED,
						List.of("a device has appeared"), Map.of()))
				: new PlanOffer.Refused("no device has appeared", "Wait.");
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new CpuBackend(plan.mode());
	}

	static class Configuration {

		@Bean
		BackendProvider device() {
			return new AppearingDevice();
		}

		@Bean
		BackendProvider cpu() {
			return new CpuBackendProvider();
		}

	}

}
