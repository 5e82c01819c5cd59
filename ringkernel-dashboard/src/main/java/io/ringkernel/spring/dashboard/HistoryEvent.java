package io.ringkernel.spring.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.ringkernel.KernelState;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.KernelQuarantined;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.KernelStateChange;
import io.ringkernel.runtime.KernelStateRecovery;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a kernel, a kernel host or the application, as the page
 * shows it.
 *
 * @param number grows by one with each event
 * @param at when it happened, in milliseconds since 1970
 * @param kernel the kernel or replica that it happened to; {@code null} if it concerns
 * all of them
 * @param problem whether an operator has to act
 * @param title what happened, in a few words
 * @param text what happened, and why
 */
record HistoryEvent(long number, long at, @Nullable String kernel, boolean problem, String title, String text) {

	/** What an event is before it has its number. */
	record Content(@Nullable String kernel, boolean problem, String title, String text) {

		HistoryEvent numbered(long number, long at) {
			return new HistoryEvent(number, at, this.kernel, this.problem, this.title, this.text);
		}

	}

	Map<String, @Nullable Object> toMap() {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("number", this.number);
		values.put("at", this.at);
		values.put("kernel", this.kernel);
		values.put("problem", this.problem);
		values.put("title", this.title);
		values.put("text", this.text);
		return values;
	}

	/** What the page shows of an event of a kernel; empty if it does not show it. */
	static Optional<Content> of(KernelEvent event) {
		String id = event.kernel().id();
		if (event instanceof KernelStateChange change) {
			return ofState(id, change);
		}
		if (event instanceof KernelPlanChange change) {
			return Optional.of(new Content(id, change.degraded(), change.degraded() ? "plan degraded" : "plan restored",
					"%s runs by %s instead of %s: %s".formatted(id, plan(change.to()), plan(change.from()),
							change.reason())));
		}
		if (event instanceof KernelStateRecovery recovery) {
			return Optional.of(
					(recovery.restoredFrom() != null)
							? new Content(id, false, "state restored",
									"%s has the state of %s: %s".formatted(id, recovery.restoredFrom(),
											recovery.reason()))
							: new Content(id, true, "state lost",
									"%s began with fresh state: %s".formatted(id, recovery.reason())));
		}
		return Optional.empty();
	}

	private static Optional<Content> ofState(String id, KernelStateChange change) {
		KernelState state = change.to();
		return switch (state) {
			case FAILED ->
				Optional.of(new Content(id, true, "failed", "%s failed: %s".formatted(id, message(change.cause()))));
			case ACTIVE, INACTIVE, TERMINATED ->
				Optional.of(new Content(id, false, ConfiguredName.of(state), "%s is %s".formatted(id, state)));
			case CREATED, LAUNCHED, TERMINATING -> Optional.empty();
		};
	}

	/** What the page shows of an event of a kernel host. */
	static Content of(HostEvent event) {
		if (event instanceof KernelHostLost lost) {
			return new Content(null, true, "kernel host lost",
					"Kernel host %d was lost: %s".formatted(lost.pid(), lost.reason()));
		}
		if (event instanceof KernelHostRestarted restarted) {
			return new Content(null, false, "kernel host restarted", "Kernel host %d runs after an outage of %d ms"
				.formatted(restarted.pid(), restarted.outage().toMillis()));
		}
		KernelQuarantined quarantined = (KernelQuarantined) event;
		return new Content(quarantined.kernelId(), true, "quarantined",
				"%s is kept from the kernel host until it is relaunched: %s".formatted(quarantined.kernelId(),
						quarantined.reason()));
	}

	private static String plan(ExecutionPlan plan) {
		return "%s, %s, %s".formatted(ConfiguredName.of(plan.backend()), ConfiguredName.of(plan.mode()),
				ConfiguredName.of(plan.transport()));
	}

	private static String message(@Nullable Throwable cause) {
		return (cause instanceof RingKernelException) ? String.valueOf(cause.getMessage()) : String.valueOf(cause);
	}

}
