package io.ringkernel.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.ringkernel.cuda.load.LaunchPolicy;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.cuda.probe.Findings;
import io.ringkernel.cuda.transport.TransportProvider;
import io.ringkernel.cuda.transport.TransportProvider.Obstacle;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The ways to run kernels on a device, best first, and what stands against each of them
 * on a platform:
 * <ol>
 * <li>persistent over mapped memory, unless the driver limits how long a kernel may run,
 * kernels do not run side by side, a kernel that stays blocks the driver, or it does not
 * see what the host writes;
 * <li>event-driven over mapped memory, unless host memory cannot be mapped;
 * <li>event-driven over a bridge.
 * </ol>
 * What was seen of the platform is in {@link Behaviour}. A kernel may still be refused
 * its place beside others ({@link io.ringkernel.cuda.loop.CoResidency}), and then takes
 * the way after this one.
 */
record CudaPlans(Findings.Usable found) {

	private static final List<Way> WAYS = Arrays.stream(TransportProvider.values())
		.flatMap((provider) -> provider.modes().stream().map((mode) -> new Way(provider, mode)))
		.toList();

	private static final String NAMES = WAYS.stream().map(Way::toString).collect(Collectors.joining(", "));

	/** The best way that honours a request. */
	PlanOffer choose(PlanRequest request) {
		return choose(request, WAYS, List.of());
	}

	/** The best way after one that has failed; {@code why} is a clause. */
	PlanOffer after(ExecutionPlan failed, String why, PlanRequest request) {
		List<Way> rest = WAYS.stream().dropWhile((way) -> !way.isOf(failed)).skip(1).toList();
		return choose(request, rest,
				List.of("not %s, because %s".formatted(Way.name(failed.mode(), failed.transport()), why)));
	}

	private PlanOffer choose(PlanRequest request, List<Way> ways, List<String> known) {
		List<String> against = new ArrayList<>(known);
		Set<String> remedies = new LinkedHashSet<>();
		for (Way way : ways) {
			if (!way.honours(request)) {
				continue;
			}
			Obstacle obstacle = obstacle(way);
			if (obstacle == null) {
				return new PlanOffer.Accepted(plan(way, request, against));
			}
			against.add("not %s, because %s".formatted(way, obstacle.reason()));
			remedies.add(remedy(obstacle, request));
		}
		if (remedies.isEmpty()) {
			remedies.add("Set ringkernel.mode and ringkernel.transport to auto.");
			against.add("a device has no %sway to honour mode '%s' and transport '%s'; it runs kernels %s"
				.formatted(known.isEmpty() ? "" : "other ", name(request.mode()), name(request.transport()), NAMES));
		}
		return new PlanOffer.Refused(String.join("; ", against), String.join(" ", remedies));
	}

	/** What helps: to give up what was asked for, and not what was not. */
	private static String remedy(Obstacle obstacle, PlanRequest request) {
		boolean isAuto = request.transport() == null && obstacle.remedy().equals(Obstacle.AUTO_TRANSPORT);
		return isAuto ? Obstacle.AUTO_MODE : obstacle.remedy();
	}

	private static String name(@Nullable Enum<?> asked) {
		return (asked != null) ? ConfiguredName.of(asked) : "auto";
	}

	private ExecutionPlan plan(Way way, PlanRequest request, List<String> against) {
		List<String> reasons = new ArrayList<>(this.found.reasons());
		reasons.addAll(against);
		if (request.mode() != null) {
			reasons.add("mode '%s' was asked for".formatted(ConfiguredName.of(way.mode())));
		}
		if (request.transport() != null) {
			reasons.add("transport '%s' was asked for".formatted(ConfiguredName.of(way.transport())));
		}
		if (way.mode() == ExecutionMode.EVENT_DRIVEN) {
			reasons.add(this.found.behaviour().launchReason());
		}
		boolean answersPerLaunch = LaunchPolicy.answersPerLaunch(way.mode(), way.transport(), this.found.behaviour());
		if (answersPerLaunch) {
			reasons.add("a slow request holds up those of its launch, and those that are sent meanwhile");
		}
		return new ExecutionPlan(BackendKind.CUDA, way.mode(), way.transport(), this.found.ordinal(), answersPerLaunch,
				reasons, this.found.describe());
	}

	private @Nullable Obstacle obstacle(Way way) {
		Obstacle obstacle = way.provider().obstacle(this.found.device(), this.found.behaviour());
		return (obstacle != null || way.mode() == ExecutionMode.EVENT_DRIVEN) ? obstacle : againstStaying();
	}

	private @Nullable Obstacle againstStaying() {
		Behaviour behaviour = this.found.behaviour();
		String remedy = Obstacle.AUTO_MODE;
		if (this.found.device().kernelTimeLimit()) {
			return new Obstacle("the driver limits how long a kernel may run",
					"Use a device that drives no display, on Windows one in TCC mode, or set ringkernel.mode to auto.");
		}
		if (!this.found.device().concurrentKernels()) {
			return new Obstacle("the device does not run kernels side by side", remedy);
		}
		if (!behaviour.worksBeside()) {
			return new Obstacle("a kernel that stays would block the driver", remedy);
		}
		return (behaviour.hearing() != null) ? null
				: new Obstacle("a running kernel does not see what the host writes", remedy);
	}

	private record Way(TransportProvider provider, ExecutionMode mode) {

		Transport transport() {
			return this.provider.transport();
		}

		boolean honours(PlanRequest request) {
			return (request.mode() == null || request.mode() == this.mode)
					&& (request.transport() == null || request.transport() == transport());
		}

		boolean isOf(ExecutionPlan plan) {
			return plan.mode() == this.mode && plan.transport() == transport();
		}

		static String name(ExecutionMode mode, Transport transport) {
			return ConfiguredName.of(mode) + "/" + ConfiguredName.of(transport);
		}

		@Override
		public String toString() {
			return name(this.mode, transport());
		}

	}

}
