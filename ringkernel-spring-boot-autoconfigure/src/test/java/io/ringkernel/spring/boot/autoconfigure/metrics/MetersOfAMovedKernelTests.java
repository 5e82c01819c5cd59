package io.ringkernel.spring.boot.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.RefusingDevice;
import io.ringkernel.spring.metrics.RingKernelMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the meters of a kernel that is moved from a device to Java threads.
 */
class MetersOfAMovedKernelTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final RefusingDevice device = new RefusingDevice();

	private RingKernelRuntime runtime;

	private Kernel<Number, Number> kernel;

	@BeforeEach
	void bind() {
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(this.device.provider(), new CpuBackendProvider()));
		this.runtime.timingInterval(1);
		this.kernel = this.runtime.define(new KernelSpec<>("twice", MessageLayout.of(Number.class),
				MessageLayout.of(Number.class), (request) -> new Number(2 * request.value()),
				"classpath:images/twice.ptx", KernelOptions.DEFAULTS));
		new RingKernelMetrics(this.runtime, this.runtime::kernels).bindTo(this.registry);
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void onADeviceTheDevicesClockSplitsTheTime() {
		assertThat(this.registry.find("ringkernel.request.handling").timer()).isNull();
		assertThat(this.registry.get("ringkernel.request").tag("backend", "cuda").timer().count()).isZero();
		FunctionTimer onDevice = this.registry.get("ringkernel.device.request").tag("backend", "cuda").functionTimer();
		assertThat(onDevice.count()).isZero();
		this.kernel.launch();
		this.device.tellOfARequest();
		assertThat(onDevice.count()).isEqualTo(1);
		assertThat(onDevice.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(128);
	}

	@Test
	void theMetersOfTheNewPlanReplaceThoseOfTheOld() throws Exception {
		move();
		assertThat(backends()).containsOnly("cpu");
		assertThat(this.registry.getMeters()).extracting(Meter::getId)
			.extracting(Meter.Id::getName)
			.contains("ringkernel.request.handling", "ringkernel.heartbeat.age", "ringkernel.device.memory")
			.doesNotContain("ringkernel.device.request");
	}

	@Test
	void theNewMetersCountWhatHappensFromThenOnOnce() throws Exception {
		move();
		this.kernel.client().call(new Number(21));
		assertThat(processed(this.registry)).isEqualTo(1);
		for (String part : new String[] { "", ".queued", ".handling", ".delivery" }) {
			assertThat(this.registry.get("ringkernel.request" + part).timer().count()).isEqualTo(1);
		}
	}

	@Test
	void nothingIsCountedTwiceOrLostByARegistryThatPublishesSteps() throws Exception {
		MockClock clock = new MockClock();
		MeterRegistry stepping = new SimpleMeterRegistry((key) -> key.equals("simple.mode") ? "STEP" : null, clock);
		new RingKernelMetrics(this.runtime, this.runtime::kernels).bindTo(stepping);
		move();
		this.kernel.client().call(new Number(21));
		assertThat(processedInAStep(stepping, clock)).isEqualTo(1);
		this.kernel.client().call(new Number(21));
		this.kernel.terminate();
		move();
		this.kernel.client().call(new Number(21));
		assertThat(processedInAStep(stepping, clock)).isEqualTo(2);
		assertThat(processedInAStep(stepping, clock)).isZero();
	}

	/** The end of a step publishes what is counted until then. */
	private static double processedInAStep(MeterRegistry registry, MockClock clock) {
		processed(registry);
		clock.add(Duration.ofMinutes(1));
		return processed(registry);
	}

	private static double processed(MeterRegistry registry) {
		return registry.get("ringkernel.requests.processed")
			.functionCounters()
			.stream()
			.mapToDouble(FunctionCounter::count)
			.sum();
	}

	@Test
	void countersOfAKernelThatIsGoneAreGone() throws Exception {
		move();
		this.runtime.remove(this.kernel);
		assertThat(this.runtime.awaitListeners(Duration.ofSeconds(10))).isTrue();
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void backOnTheDeviceItHasTheDevicesMetersAgain() throws Exception {
		move();
		this.kernel.terminate();
		this.kernel.launch();
		assertThat(this.runtime.awaitListeners(Duration.ofSeconds(10))).isTrue();
		assertThat(backends()).containsOnly("cuda");
	}

	/** Counters stay, timers and gauges do not. */
	private Stream<String> backends() {
		return this.registry.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getType() != Meter.Type.COUNTER)
			.map((meter) -> String.valueOf(meter.getId().getTag("backend")));
	}

	private void move() throws InterruptedException {
		this.kernel.launch();
		this.kernel.activate();
		assertThat(this.kernel.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(this.kernel.status().plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(this.runtime.awaitListeners(Duration.ofSeconds(10))).isTrue();
	}

}
