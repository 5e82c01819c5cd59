package io.ringkernel.cpu;

import java.util.List;
import java.util.Map;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * Makes the CPU backend known. It is there on every platform, in both modes.
 *
 * @since 0.1.0
 */
public final class CpuBackendProvider implements BackendProvider {

	/** Creates the provider. */
	public CpuBackendProvider() {
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CPU;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		if (request.transport() != null && request.transport() != Transport.DIRECT) {
			return new PlanOffer.Refused("transport '%s' needs a device and the CPU backend has none"
				.formatted(ConfiguredName.of(request.transport())), "Set ringkernel.transport to auto.");
		}
		ExecutionMode mode = (request.mode() != null) ? request.mode() : ExecutionMode.PERSISTENT;
		String reason = (request.mode() != null) ? "mode '%s' was asked for".formatted(ConfiguredName.of(mode))
				: "mode 'persistent': its idle workers rest, so it costs nothing";
		return new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CPU, mode, Transport.DIRECT, List.of(reason),
				Map.of("os", System.getProperty("os.name") + " " + System.getProperty("os.version"), "architecture",
						System.getProperty("os.arch"), "processors",
						String.valueOf(Runtime.getRuntime().availableProcessors()))));
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new CpuBackend(plan.mode());
	}

}
