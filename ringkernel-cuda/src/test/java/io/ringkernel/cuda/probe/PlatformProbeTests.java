package io.ringkernel.cuda.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedPlatform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the probe sees of platforms that differ.
 */
@Timeout(60)
class PlatformProbeTests {

	/** Longer than a kernel waits for a question. */
	private static final Duration HELD_UP = ProbeKernel.WAIT.multipliedBy(2);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	@Test
	void everythingWorks() {
		Behaviour behaviour = probe(SimulatedPlatform.LINUX);
		assertThat(behaviour.maps()).isTrue();
		assertThat(behaviour.hearing()).isPositive();
		assertThat(behaviour.pinnedCopyBeside()).isTrue();
		assertThat(behaviour.pageableCopyBeside()).isTrue();
		assertThat(behaviour.graphLaunch()).isPositive();
		assertThat(behaviour.launchReason())
			.matches("launched by (kernel|graph): [0-9.]+ us by kernel, [0-9.]+ us by graph");
		assertThat(this.context.heldUp()).isEmpty();
	}

	@Test
	void memoryThatCannotBeRegisteredIsNamedWithTheError() {
		Behaviour behaviour = probe(SimulatedPlatform.WSL2);
		assertThat(behaviour.maps()).isFalse();
		assertThat(behaviour.hearing()).isNull();
		assertThat(behaviour.reasons()).contains(
				"host memory cannot be mapped: cuMemHostRegister of 4096 B failed with CUDA_ERROR_INVALID_VALUE",
				"no copy completes while a kernel runs");
	}

	@Test
	void aKernelThatDoesNotSeeTheHostIsNotWaitedForLong() {
		Behaviour behaviour = probe(SimulatedPlatform.LINUX.withoutHearing());
		assertThat(behaviour.maps()).isTrue();
		assertThat(behaviour.hearing()).isNull();
		assertThat(behaviour.reasons()).contains("a running kernel does not see what the host writes");
	}

	@Test
	void aThreadThatIsHeldUpIsNotTakenForAKernelThatDoesNotHear() {
		// Four of them come before the questions.
		this.context.launches().holdUpProbes(10, HELD_UP);
		Behaviour behaviour = probe(SimulatedPlatform.LINUX);
		assertThat(behaviour.hearing()).isPositive();
		assertThat(behaviour.pageableCopyBeside()).isTrue();
		assertThat(behaviour.pinnedCopyBeside()).isTrue();
	}

	/** It has ended by then: what is asked next may be asked at once. */
	@Test
	void aKernelThatWasAskedTooLateIsNotWaitedFor() {
		List<Duration> untilLooked = new ArrayList<>();
		AtomicLong launched = new AtomicLong();
		this.context.before("cuLaunchKernel", () -> launched.set(System.nanoTime()));
		this.context.before("cuStreamQuery", () -> {
			long begin = launched.getAndSet(0);
			if (begin != 0) {
				untilLooked.add(Duration.ofNanos(System.nanoTime() - begin));
			}
		});
		this.context.launches().holdUpProbes(10, HELD_UP);
		probe(SimulatedPlatform.LINUX);
		// The soonest of the questions, as this machine may be held up, too.
		assertThat(Collections.min(untilLooked.subList(4, 10))).isBetween(HELD_UP, HELD_UP.plus(ProbeKernel.WAIT));
	}

	@Test
	void aDriverThatIsBlockedByAKernelIsFoundOutWhenTheKernelEnds() {
		Behaviour behaviour = probe(SimulatedPlatform.LINUX.withoutWorkBeside());
		assertThat(behaviour.worksBeside()).isFalse();
		assertThat(behaviour.maps()).isTrue();
	}

	@Test
	void aDriverWithoutGraphsLaunchesKernels() {
		Behaviour behaviour = probe(SimulatedPlatform.LINUX.withoutGraphs());
		assertThat(behaviour.isFasterByGraph()).isFalse();
		assertThat(behaviour.launchReason()).isEqualTo("launched by kernel: the driver takes no graphs");
	}

	@Test
	void aKernelThatIsHeldUpForLongerThanATimingEndsBeforeItsGraphIsDestroyed() {
		this.context.launches().delay("probe", Duration.ofMillis(150));
		Behaviour behaviour = probe(SimulatedPlatform.LINUX);
		assertThat(behaviour.graphLaunch()).isPositive();
		assertThat(this.context.heldUp()).isEmpty();
		assertThat(this.context.graphs()).isZero();
	}

	@Test
	void nothingOfTheProbeStaysBehind() {
		probe(SimulatedPlatform.LINUX);
		assertThat(this.context.registrations()).isZero();
		assertThat(this.context.allocatedBytes()).isZero();
		assertThat(this.context.streams()).isZero();
		assertThat(this.context.graphs()).isZero();
	}

	@Test
	void aDeviceThatBreaksIsNoFinding() {
		this.context.failRegistrations(
				new CudaException("cuMemHostRegister", new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS")), false);
		assertThatExceptionOfType(CudaException.class).isThrownBy(() -> probe(SimulatedPlatform.LINUX));
	}

	private Behaviour probe(SimulatedPlatform platform) {
		this.context.platform(platform);
		Behaviour behaviour = new PlatformProbe().run(CudaDriver.bounded(this.driver).open(0));
		assertThat(behaviour.took()).isLessThan(Duration.ofSeconds(30));
		return behaviour;
	}

}
