package io.ringkernel.runtime;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.ringkernel.KernelState;
import io.ringkernel.exception.IllegalKernelStateException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RequestInterruptedException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelLifecycleTests extends KernelFixture {

	private static void verifyIllegal(Kernel<?, ?> kernel, Consumer<Kernel<?, ?>> move, KernelState to) {
		KernelState from = kernel.state();
		assertThatExceptionOfType(IllegalKernelStateException.class).isThrownBy(() -> move.accept(kernel))
			.withMessageContaining("'" + kernel.id() + "'")
			.withMessageContaining(from.name())
			.withMessageContaining(to.name())
			.satisfies((ex) -> {
				assertThat(ex.from()).isEqualTo(from);
				assertThat(ex.to()).isEqualTo(to);
			});
		assertThat(kernel.state()).isEqualTo(from);
	}

	@Test
	void everyMoveIsLegalOrNamesBothStates() {
		Kernel<Number, Number> kernel = define("moves", (request) -> request);
		verifyIllegal(kernel, Kernel::activate, KernelState.ACTIVE);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.launch();
		verifyIllegal(kernel, Kernel::launch, KernelState.LAUNCHED);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.activate();
		verifyIllegal(kernel, Kernel::launch, KernelState.LAUNCHED);
		verifyIllegal(kernel, Kernel::activate, KernelState.ACTIVE);
		kernel.deactivate();
		verifyIllegal(kernel, Kernel::launch, KernelState.LAUNCHED);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.activate();
		kernel.terminate();
		verifyIllegal(kernel, Kernel::activate, KernelState.ACTIVE);
		verifyIllegal(kernel, Kernel::deactivate, KernelState.INACTIVE);
		kernel.terminate();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		kernel.relaunch();
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void aKernelIsTerminatedFromEveryState() {
		Kernel<Number, Number> created = define("created", (request) -> request);
		created.terminate();
		assertThat(created.state()).isEqualTo(KernelState.TERMINATED);
		Kernel<Number, Number> launched = define("launched", (request) -> request);
		launched.launch();
		launched.terminate();
		assertThat(launched.state()).isEqualTo(KernelState.TERMINATED);
		Kernel<Number, Number> inactive = define("inactive", (request) -> request);
		start(inactive);
		inactive.deactivate();
		inactive.terminate();
		assertThat(inactive.state()).isEqualTo(KernelState.TERMINATED);
	}

	@Test
	void aDeactivationThatIsNotObeyedInTimeLeavesTheKernelInactive() {
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Number, Number> kernel = define("slow-to-rest",
				OPTIONS.toBuilder().stopTimeout(Duration.ofMillis(20)).build(), (request) -> {
					release.await();
					return request;
				});
		start(kernel);
		CompletableFuture<Number> held = kernel.client().submit(new Number(1));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().activeWorkers() > 0);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::deactivate);
		assertThat(kernel.state()).isEqualTo(KernelState.INACTIVE);
		release.countDown();
		kernel.activate();
		assertThat(held).succeedsWithin(LIMIT).isEqualTo(new Number(1));
	}

	@Test
	void aTerminationThatIsInterruptedIsTakenUpByTheNext() {
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Number, Number> kernel = define("interrupted", (request) -> {
			release.await();
			return request;
		});
		start(kernel);
		CompletableFuture<Number> held = kernel.client().submit(new Number(1));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(RequestInterruptedException.class).isThrownBy(kernel::terminate);
		assertThat(Thread.interrupted()).isTrue();
		Thread terminator = new Thread(() -> {
			try {
				kernel.terminate();
			}
			catch (RequestInterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		terminator.start();
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.TERMINATING);
		terminator.interrupt();
		Awaitility.await().atMost(LIMIT).until(() -> !terminator.isAlive());
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATING);
		release.countDown();
		kernel.terminate();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(held).isDone();
	}

	@Test
	void aRuntimeIsClosedOnAnInterruptedThread() {
		Kernel<Number, Number> kernel = define("closing", (request) -> request);
		start(kernel);
		Thread.currentThread().interrupt();
		this.runtime.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(threads("closing")).isEmpty();
	}

	@Test
	void launchesAndTerminationsLeakNothing() {
		Kernel<Number, Number> kernel = define("cycle", (request) -> request);
		start(kernel);
		kernel.client().call(new Number(0));
		long before = directMemory();
		for (int i = 0; i < 100; i++) {
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(i))).isEqualTo(new Number(i));
		}
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(101));
		assertThat(this.provider.openMemories).hasValue(1);
		long ringMemory = kernel.status().memoryBytes();
		kernel.terminate();
		assertThat(kernel.status().memoryBytes()).isZero();
		assertThat(this.provider.openMemories).hasValue(0);
		Awaitility.await().atMost(LIMIT).until(() -> threads("cycle").isEmpty());
		Awaitility.await().atMost(LIMIT).until(() -> {
			System.gc();
			return directMemory() <= before + 3 * ringMemory;
		});
	}

	private static long directMemory() {
		return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.filter((pool) -> pool.getName().equals("direct"))
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
	}

}
