package io.ringkernel.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlayedProvider;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RingKernelLifecycle}.
 */
@Timeout(60)
class RingKernelLifecycleTests {

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(PlayedProvider.cpu(new FailingBackend(new CpuBackend(ExecutionMode.PERSISTENT)))));

	private final RingKernelLifecycle lifecycle = new RingKernelLifecycle(this.runtime, none(),
			(kernelId) -> KernelOptions.DEFAULTS);

	@Test
	void startsBeforeTheWebServerAndStopsAfterIt() {
		assertThat(this.lifecycle.getPhase()).isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE)
			.isLessThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE)
			.isLessThan(SmartLifecycle.DEFAULT_PHASE);
		assertThat(this.lifecycle.isAutoStartup()).isTrue();
	}

	@Test
	void startActivatesAndStopTerminates() {
		Kernel<Number, Number> kernel = define("echo", (request) -> request);
		assertThat(this.lifecycle.isRunning()).isFalse();
		this.lifecycle.start();
		assertThat(this.lifecycle.isRunning()).isTrue();
		assertThat(kernel.client().call(new Number(1))).isEqualTo(new Number(1));
		this.lifecycle.stop();
		assertThat(this.lifecycle.isRunning()).isFalse();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		assertThatExceptionOfType(KernelNotActiveException.class).isThrownBy(() -> kernel.client().call(new Number(1)));
	}

	@Test
	void startRelaunchesWhatWasStopped() {
		Kernel<Number, Number> kernel = define("echo", (request) -> request);
		RingKernelClient<Number, Number> client = kernel.client();
		this.lifecycle.start();
		client.call(new Number(1));
		this.lifecycle.stop();
		this.lifecycle.start();
		assertThat(client.call(new Number(2))).isEqualTo(new Number(2));
		assertThat(kernel.status().processed()).isEqualTo(2);
		this.lifecycle.stop();
	}

	@Test
	void startLeavesAloneWhatRuns() {
		Kernel<Number, Number> running = define("running", (request) -> request);
		running.relaunch();
		Kernel<Number, Number> other = define("other", (request) -> request);
		this.lifecycle.start();
		assertThat(running.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(other.state()).isEqualTo(KernelState.ACTIVE);
		this.lifecycle.stop();
	}

	@Test
	void kernelThatCannotBeLaunchedEndsTheOthers() {
		Kernel<Number, Number> sound = define("sound", (request) -> request);
		define("broken", (request) -> request);
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(this.lifecycle::start)
			.withMessageContaining("'broken'");
		assertThat(sound.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(this.lifecycle.isRunning()).isFalse();
	}

	@Test
	void stopWaitsForRequestsInFlight() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		Kernel<Number, Number> kernel = define("slow", (request) -> {
			begun.countDown();
			goOn.await();
			return request;
		});
		this.lifecycle.start();
		var response = kernel.client().submit(new Number(7));
		assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
		Thread stop = new Thread(this.lifecycle::stop);
		stop.start();
		await().until(() -> kernel.state() == KernelState.TERMINATING);
		goOn.countDown();
		stop.join(10_000);
		assertThat(response.get(10, TimeUnit.SECONDS)).isEqualTo(new Number(7));
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
	}

	@Test
	void kernelsAreTerminatedSideBySide() throws Exception {
		// Each handler ends only once both kernels are being terminated.
		CountDownLatch begun = new CountDownLatch(2);
		CyclicBarrier bothTerminating = new CyclicBarrier(2);
		Kernel<?, ?>[] kernels = new Kernel<?, ?>[2];
		RingKernelHandler<Number, Number> handler = (request) -> {
			begun.countDown();
			while (kernels[request.value()].state() != KernelState.TERMINATING) {
				Thread.onSpinWait();
			}
			bothTerminating.await(10, TimeUnit.SECONDS);
			return request;
		};
		Kernel<Number, Number> first = define("first", handler);
		Kernel<Number, Number> second = define("second", handler);
		kernels[0] = first;
		kernels[1] = second;
		this.lifecycle.start();
		var responses = List.of(first.client().submit(new Number(0)), second.client().submit(new Number(1)));
		assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
		this.lifecycle.stop();
		assertThat(responses).allSatisfy((response) -> assertThat(response).isCompleted());
	}

	@Test
	void stopSavesTheStateThatReplicasShare(@TempDir Path directory) {
		KernelOptions options = KernelOptions.builder()
			.workers(1)
			.snapshots(new Snapshots(directory, Duration.ZERO, true))
			.build();
		Kernel<Number, Number> kernel = this.runtime.define(
				KernelSpec.of("sum", Number.class, Number.class, new Sum(), options), new Replication(2, List.of()),
				null);
		this.lifecycle.start();
		assertThat(kernel.client().call(new Number(5))).isEqualTo(new Number(5));
		this.lifecycle.stop();
		assertThat(directory.resolve("sum.snapshot")).exists();
		this.lifecycle.start();
		assertThat(kernel.client().call(new Number(1))).isEqualTo(new Number(6));
		this.lifecycle.stop();
	}

	@Test
	void contextStopsAndStartsAgain() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(RingKernelLifecycle.class, () -> this.lifecycle);
			Kernel<Number, Number> kernel = define("echo", (request) -> request);
			context.refresh();
			assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
			context.stop();
			assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
			context.start();
			assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		}
	}

	private Kernel<Number, Number> define(String id, RingKernelHandler<Number, Number> handler) {
		return this.runtime
			.define(KernelSpec.of(id, Number.class, Number.class, handler, KernelOptions.builder().workers(1).build()));
	}

	/** No kernel is a bean here. */
	private static ObjectProvider<Kernel<?, ?>> none() {
		return new DefaultListableBeanFactory().getBeanProvider(ResolvableType.forClass(Kernel.class));
	}

	private static final class Sum implements RingKernelHandler<Number, Number> {

		private int sum;

		@Override
		public Number handle(Number request) {
			this.sum += request.value();
			return new Number(this.sum);
		}

	}

	/**
	 * Launches every kernel but the one with the id {@code broken}.
	 */
	private static final class FailingBackend extends ForwardingBackend {

		FailingBackend(Backend backend) {
			super(backend);
		}

		@Override
		public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
			if (kernel.id().equals("broken")) {
				throw new KernelLaunchException(kernel.id(), "it is broken.", null);
			}
			return super.load(kernel, region);
		}

	}

}
