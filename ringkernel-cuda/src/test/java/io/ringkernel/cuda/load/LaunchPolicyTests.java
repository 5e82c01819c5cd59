package io.ringkernel.cuda.load;

import java.time.Duration;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.cuda.transport.TransportProvider;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LaunchPolicyTests {

	/** A driver that does something while a kernel runs. */
	static final Behaviour BESIDE = behaviour(true);

	/** One that does not. */
	private static final Behaviour BLOCKED = behaviour(false);

	private static final KernelOptions OPTIONS = KernelOptions.builder().workers(8).build();

	private static Behaviour behaviour(boolean copiesBeside) {
		return new Behaviour(null, null, copiesBeside, false, Duration.ofNanos(7_000), Duration.ofNanos(6_000),
				Duration.ZERO);
	}

	@Test
	void aPersistentKernelEndsWhenItIsToldTo() {
		LaunchPolicy policy = LaunchPolicy.of(ExecutionMode.PERSISTENT, Transport.MAPPED, BESIDE, OPTIONS);
		assertThat(policy.isPersistent()).isTrue();
		assertThat(policy.idleBudgetNanos()).isZero();
		assertThat(policy.timeLimitNanos()).isZero();
		assertThat(policy.endsAtOnce()).isFalse();
	}

	@Test
	void overMappedMemoryAnEventDrivenOneStaysForItsBudget() {
		LaunchPolicy policy = LaunchPolicy.of(ExecutionMode.EVENT_DRIVEN, Transport.MAPPED, BLOCKED, OPTIONS);
		assertThat(policy.byGraph()).isTrue();
		assertThat(policy.idleBudgetNanos()).isEqualTo(OPTIONS.idleBudget().toNanos());
		assertThat(policy.endsAtOnce()).isFalse();
	}

	@Test
	void anEventDrivenOneEndsLongBeforeADisplaysWatchdogBites() {
		for (TransportProvider provider : TransportProvider.values()) {
			assertThat(LaunchPolicy.of(ExecutionMode.EVENT_DRIVEN, provider.transport(), BLOCKED, OPTIONS)
				.timeLimitNanos()).isBetween(1L, 1_000_000_000L);
		}
	}

	@Test
	void withoutABudgetItEndsAsSoonAsItFindsNothing() {
		LaunchPolicy policy = LaunchPolicy.of(ExecutionMode.EVENT_DRIVEN, Transport.MAPPED, BESIDE,
				OPTIONS.toBuilder().idleBudget(Duration.ZERO).build());
		assertThat(policy.endsAtOnce()).isTrue();
	}

	@Test
	void overABridgeItEndsAsSoonAsItFindsNothing() {
		LaunchPolicy policy = LaunchPolicy.of(ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED, BESIDE, OPTIONS);
		assertThat(policy.endsAtOnce()).isTrue();
	}

	@Test
	void whereNoCommandReachesItASlowRequestHoldsUpOthersForNoLongerThanItTakes() {
		assertThat(LaunchPolicy.of(ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED, BLOCKED, OPTIONS).timeLimitNanos())
			.isEqualTo(10_000_000);
	}

}
