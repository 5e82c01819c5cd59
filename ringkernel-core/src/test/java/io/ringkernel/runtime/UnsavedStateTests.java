package io.ringkernel.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.InPlaceCalls;
import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.platform.PlanRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A kernel that has not ended in order leaves an older snapshot in its file. A relaunch
 * does not go back to that.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnsavedStateTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/** Has the handler wait. */
	private static final long HOLD = -1;

	private final FaultyProvider provider = new FaultyProvider();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider));

	private final Sum handler = new Sum();

	@TempDir
	private Path directory;

	/** An earlier runtime has saved a sum of 5. */
	@BeforeEach
	void save() {
		try (RingKernelRuntime earlier = RingKernelRuntime.open(PlanRequest.AUTO, List.of(new FaultyProvider()))) {
			assertThat(add(start(earlier, LIMIT, Duration.ZERO, new Sum(), Replication.NONE), 5)).isEqualTo(5);
		}
	}

	@AfterEach
	void close() {
		this.handler.release.countDown();
		this.provider.startFailure = null;
		this.runtime.close();
	}

	@Test
	void aKernelWhoseRingIsStuckGoesOnWithItsState() throws Exception {
		Kernel<Number, Number> kernel = start(Duration.ofMillis(500), Duration.ZERO, Replication.NONE);
		assertThat(add(kernel, 1)).isEqualTo(6);
		CountDownLatch written = new CountDownLatch(1);
		InPlaceCalls calls = kernel.client().openInPlace();
		CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> calls.call((request) -> {
			await(written);
			throw new IllegalArgumentException("is not sent after all");
		}, (response) -> {
		}), (task) -> new Thread(task).start());
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 1);
		CompletableFuture<Number> behind = kernel.client().submit(new Number(0), LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.FAILED);
		assertThat(behind).failsWithin(LIMIT);
		written.countDown();
		assertThat(writer).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(IllegalArgumentException.class);
		kernel.relaunch();
		assertThat(add(kernel, 1)).isEqualTo(7);
	}

	@Test
	void aHandlerThatDoesNotEndInTimeGoesOnWithItsState() {
		Kernel<Number, Number> kernel = start(LIMIT, Duration.ZERO, Replication.NONE);
		assertThat(add(kernel, 1)).isEqualTo(6);
		hold(kernel);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::terminate);
		kernel.relaunch();
		assertThat(add(kernel, 1)).isEqualTo(7);
		assertThat(kernel.stateOrigin().orElseThrow().reason()).contains("was not saved");
	}

	@Test
	void replicasOfWhichOneDoesNotEndInTimeGoOnWithTheirState() {
		Kernel<Number, Number> kernel = start(LIMIT, Duration.ZERO, new Replication(2, List.of()));
		assertThat(add(kernel, 1)).isEqualTo(6);
		hold(kernel);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::terminate);
		kernel.terminate();
		kernel.relaunch();
		assertThat(add(kernel, 1)).isEqualTo(7);
	}

	@Test
	void aKernelThatDoesNotStartAgainBehindASnapshotGoesOnWithItsState() {
		Kernel<Number, Number> kernel = start(LIMIT, Duration.ZERO, Replication.NONE);
		assertThat(add(kernel, 1)).isEqualTo(6);
		this.provider.startFailure = new IllegalStateException("does not start");
		assertThatIllegalStateException().isThrownBy(() -> kernel.snapshot(this.directory.resolve("other")));
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		this.provider.startFailure = null;
		kernel.relaunch();
		assertThat(add(kernel, 1)).isEqualTo(7);
	}

	@Test
	void theThreadOfTheSnapshotsEndsWithAKernelThatIsStuck() {
		Kernel<Number, Number> kernel = start(LIMIT, Duration.ofMillis(10), Replication.NONE);
		hold(kernel);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::terminate);
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> KernelFixture.threads("sum").stream().noneMatch((thread) -> thread.endsWith("-snapshots")));
	}

	private void hold(Kernel<Number, Number> kernel) {
		kernel.client().submit(new Number(HOLD), LIMIT);
		await(this.handler.holds);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static long add(Kernel<Number, Number> kernel, long value) {
		return kernel.client().call(new Number(value), LIMIT).value();
	}

	private Kernel<Number, Number> start(Duration requestTimeout, Duration every, Replication replication) {
		return start(this.runtime, requestTimeout, every, this.handler, replication);
	}

	private Kernel<Number, Number> start(RingKernelRuntime runtime, Duration requestTimeout, Duration every,
			Sum handler, Replication replication) {
		KernelOptions options = KernelOptions.builder()
			.workers(1)
			.requestTimeout(requestTimeout)
			.drainTimeout(Duration.ofMillis(1))
			.stopTimeout(Duration.ofMillis(500))
			.snapshots(new Snapshots(this.directory, every, true))
			.build();
		Kernel<Number, Number> kernel = runtime
			.define(KernelSpec.of("sum", Number.class, Number.class, handler, options), replication, null);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	record Number(long value) {
	}

	/** Waits for its latch; an interrupt does not end that. */
	static final class Sum implements RingKernelHandler<Number, Number> {

		private final transient CountDownLatch holds = new CountDownLatch(1);

		private final transient CountDownLatch release = new CountDownLatch(1);

		private long sum;

		@Override
		public Number handle(Number request) {
			if (request.value() == HOLD) {
				this.holds.countDown();
				awaitRelease();
			}
			else {
				this.sum += request.value();
			}
			return new Number(this.sum);
		}

		private void awaitRelease() {
			long deadline = System.nanoTime() + LIMIT.toNanos();
			boolean released = false;
			while (!released && System.nanoTime() - deadline < 0) {
				try {
					released = this.release.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					// The loop interrupts it, and has to wait all the same.
				}
			}
		}

	}

}
