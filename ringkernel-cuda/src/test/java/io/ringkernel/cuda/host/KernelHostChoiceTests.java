package io.ringkernel.cuda.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kernels run in a host where there can be one, and otherwise here, which the plan
 * explains.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelHostChoiceTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	@TempDir
	private Path directory;

	@Test
	void kernelsRunInAHostIfNothingStandsAgainstIt() {
		BackendProvider choice = choice(DeviceHostMain.class, null);
		try (RingKernelRuntime runtime = open(choice)) {
			Kernel<Number, Number> kernel = activate(runtime, KernelOptions.builder().build());
			assertThat(kernel.plan().platform()).containsEntry("isolation", "process");
			assertThat(runtime.hosts()).singleElement().satisfies((host) -> assertThat(host.pid()).isPositive());
		}
	}

	@Test
	void anObstacleIsAReasonOfThePlan() {
		assertThatItIsHere(choice(DeviceHostMain.class, "a test says so"), PlanRequest.AUTO, "a test says so");
	}

	@Test
	void aHostThatDoesNotStartIsNotNeededAndWarnedOf() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		Logger logger = (Logger) LoggerFactory.getLogger(KernelHostChoice.class);
		logger.addAppender(log);
		try {
			assertThatItIsHere(choice(KernelHostChoiceTests.class, null), PlanRequest.AUTO, "it ended at once");
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(log.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getFormattedMessage()).contains("without isolation", "it ended at once, with exit status");
		});
	}

	@Test
	void ringsNeedADirectory() {
		this.directory = this.directory.resolve("absent");
		assertThatItIsHere(choice(DeviceHostMain.class, null), PlanRequest.AUTO,
				"no directory has room for rings: %s has 0 kB left".formatted(this.directory));
	}

	@Test
	void aRingThatFindsNoRoomHasItsKernelRunHereAndTheOthersInTheHost() throws Exception {
		BackendProvider choice = choice(DeviceHostMain.class, null);
		try (RingKernelRuntime runtime = open(choice)) {
			Kernel<Number, Number> first = activate(runtime, KernelOptions.builder().build());
			Files.delete(this.directory);
			Kernel<Number, Number> second = runtime
				.define(DeviceHostMain.kernel("second", KernelOptions.builder().build()));
			second.launch();
			second.activate();
			assertThat(second.client().call(new Number(3), LIMIT)).isEqualTo(new Number(6));
			assertThat(second.plan().reasons()).anySatisfy((reason) -> assertThat(reason)
				.contains("in the process of the application, because no directory has room for its ring"));
			assertThat(first.client().call(new Number(4), LIMIT)).isEqualTo(new Number(8));
			assertThat(first.plan().platform()).containsEntry("isolation", "process");
		}
	}

	@Test
	void theNextHostHasNoOtherPlanForAKernelOfTheLastOne() {
		BackendProvider choice = choice(DeviceHostMain.class, null);
		ExecutionPlan plan = ((PlanOffer.Accepted) choice.plan(PlanRequest.AUTO)).plan();
		try (Backend open = choice.open(plan)) {
			assertThat(open.recover("first")).as("a host runs").isTrue();
			PlanOffer offer = choice.planAfter(plan,
					new DeviceLostException("first", "the last host has ended", "Another one runs."), PlanRequest.AUTO);
			assertThat(offer).isEqualTo(new PlanOffer.Refused("the last host has ended", HostProcess.REMEDY));
		}
	}

	private static void assertThatItIsHere(BackendProvider choice, PlanRequest request, String why) {
		ExecutionPlan plan = ((PlanOffer.Accepted) choice.plan(request)).plan();
		assertThat(plan.reasons()).last()
			.asString()
			.startsWith("kernels run in the process of the application, because ")
			.contains(why);
		assertThat(plan.platform()).doesNotContainKey("isolation");
		assertThat(choice.hosts()).as("there is no host to tell of").isEmpty();
	}

	private static RingKernelRuntime open(BackendProvider provider) {
		return RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider, new CpuBackendProvider()));
	}

	private static Kernel<Number, Number> activate(RingKernelRuntime runtime, KernelOptions options) {
		Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel("first", options));
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(new Number(1), LIMIT)).isEqualTo(new Number(2));
		return kernel;
	}

	private BackendProvider choice(Class<?> mainClass, @Nullable String obstacle) {
		BackendProvider local = new DeviceHostMain.Device();
		HostOptions options = new HostOptions(this.directory, Duration.ofSeconds(30), Duration.ofSeconds(2),
				HostOptions.STUCK_AFTER);
		return new KernelHostChoice(new KernelHostProvider(local, mainClass, options), local, () -> obstacle);
	}

}
