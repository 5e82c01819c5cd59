package io.ringkernel.runtime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a backend: the first, devices before the CPU, that can do what is asked.
 */
final class Planner {

	private final List<BackendProvider> providers;

	Planner(List<BackendProvider> providers) {
		this.providers = providers.stream()
			.sorted(Comparator.comparing((BackendProvider provider) -> provider.kind() == BackendKind.CPU))
			.toList();
	}

	List<BackendProvider> providers() {
		return this.providers;
	}

	Choice choose(PlanRequest request) {
		return choose(request, List.of());
	}

	/** Chooses the CPU for a kernel that the chosen device cannot run. */
	Choice chooseCpu(PlanRequest request, String reason) {
		List<BackendProvider> cpu = this.providers.stream()
			.filter((provider) -> provider.kind() == BackendKind.CPU)
			.toList();
		return new Planner(cpu).choose(new PlanRequest(null, request.mode(), null), List.of(reason));
	}

	boolean compilesHandlers() {
		return this.providers.stream().anyMatch(BackendProvider::compilesHandlers);
	}

	/** Checks the image of a kernel, whether there is a device or not. */
	void checkImage(KernelSpec<?, ?> kernel) {
		this.providers.forEach((provider) -> provider.checkImage(kernel));
	}

	/**
	 * Chooses what comes after a plan that has failed: another plan of the same backend,
	 * or the CPU; {@code null} if the configuration admits none.
	 */
	@Nullable Choice after(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		if (failed.backend() == BackendKind.CPU) {
			return null;
		}
		String refusal = why.reason();
		for (BackendProvider provider : this.providers) {
			if (provider.kind() == failed.backend()) {
				PlanOffer offer = provider.planAfter(failed, why, request);
				if (offer instanceof PlanOffer.Accepted accepted) {
					return new Choice(provider, explain(request, List.of(), accepted.plan()));
				}
				refusal = ((PlanOffer.Refused) offer).reason();
			}
		}
		return leave(failed, refusal, request);
	}

	/** Chooses the CPU; {@code null} if the configuration does not admit it. */
	@Nullable Choice leave(ExecutionPlan device, String why, PlanRequest request) {
		return mayLeave(device, request)
				? chooseCpu(request, "not '%s', because %s".formatted(ConfiguredName.of(device.backend()), why)) : null;
	}

	/** Whether the configuration admits the CPU in place of a device. */
	boolean mayLeave(ExecutionPlan device, PlanRequest request) {
		return device.backend() != BackendKind.CPU && request.backend() == null && request.transport() == null
				&& this.providers.stream().anyMatch((provider) -> provider.kind() == BackendKind.CPU);
	}

	private Choice choose(PlanRequest request, List<String> known) {
		List<String> reasons = new ArrayList<>(known);
		List<String> remedies = new ArrayList<>();
		for (BackendProvider provider : this.providers) {
			if (request.backend() != null && request.backend() != provider.kind()) {
				continue;
			}
			PlanOffer offer = provider.plan(request);
			if (offer instanceof PlanOffer.Accepted accepted) {
				return new Choice(provider, explain(request, reasons, accepted.plan()));
			}
			PlanOffer.Refused refused = (PlanOffer.Refused) offer;
			reasons.add("not '%s', because %s".formatted(ConfiguredName.of(provider.kind()), refused.reason()));
			remedies.add(refused.remedy());
		}
		throw refuse(request, reasons, remedies);
	}

	private static ExecutionPlan explain(PlanRequest request, List<String> refusals, ExecutionPlan plan) {
		List<String> reasons = new ArrayList<>();
		if (request.backend() != null) {
			reasons.add("backend '%s' was asked for".formatted(ConfiguredName.of(plan.backend())));
		}
		reasons.addAll(refusals);
		reasons.addAll(plan.reasons());
		return plan.withReasons(reasons);
	}

	private InvalidConfigurationException refuse(PlanRequest request, List<String> reasons, List<String> remedies) {
		if (reasons.isEmpty()) {
			return new InvalidConfigurationException("ringkernel.backend",
					(request.backend() != null) ? ConfiguredName.of(request.backend()) : "auto",
					"cannot be honoured: its module is not on the class path",
					"Add the dependency io.ringkernel:ringkernel-cuda, or set ringkernel.backend to auto.");
		}
		String setting = (request.backend() != null) ? "ringkernel.backend"
				: (request.transport() != null) ? "ringkernel.transport" : "ringkernel.mode";
		Enum<?> value = (request.backend() != null) ? request.backend()
				: (request.transport() != null) ? request.transport() : request.mode();
		return new InvalidConfigurationException(setting, (value != null) ? ConfiguredName.of(value) : "auto",
				"cannot be honoured: " + String.join("; ", reasons),
				remedies.stream().distinct().collect(Collectors.joining(" ")));
	}

	record Choice(BackendProvider provider, ExecutionPlan plan) {
	}

}
