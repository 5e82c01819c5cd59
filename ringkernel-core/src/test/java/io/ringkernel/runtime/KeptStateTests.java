package io.ringkernel.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.platform.PlanRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Snapshots}: a kernel begins with the state that was saved last.
 */
class KeptStateTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final Duration SHORT = Duration.ofMillis(10);

	@TempDir
	private Path directory;

	@Test
	void aKernelGoesOnWhereItWasTerminated() {
		assertThat(sumOf(saving(Duration.ZERO, true), new Sum(), 5)).isEqualTo(5);
		assertThat(sumOf(saving(Duration.ZERO, true), new Sum(), 7)).isEqualTo(12);
	}

	@Test
	void aKernelBeginsAnewIfNothingIsSaved() {
		assertThat(sumOf(saving(Duration.ZERO, false), new Sum(), 5)).isEqualTo(5);
		assertThat(sumOf(saving(Duration.ZERO, false), new Sum(), 7)).isEqualTo(7);
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void theStateIsSavedWhileRequestsAreHandled() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, saving(SHORT, false), new Sum());
			long[] sent = new long[1];
			Awaitility.await().atMost(LIMIT).until(() -> {
				assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(++sent[0]);
				return kernel.stateOrigin().orElseThrow().savedAt() != null;
			});
		}
		assertThat(sumOf(saving(Duration.ZERO, false), new Sum(), 0)).isPositive();
	}

	@Test
	void aRelaunchedKernelGoesOnWithItsState() {
		try (RingKernelRuntime runtime = runtime()) {
			Sum handler = new Sum();
			Kernel<Number, Number> kernel = started(runtime, saving(Duration.ZERO, true), handler);
			kernel.client().call(new Number(5));
			kernel.terminate();
			handler.sum = 1000;
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
			assertThat(kernel.stateOrigin().orElseThrow().restoredFrom()).isNotNull();
		}
	}

	/** The handler has kept what the file lacks. */
	@Test
	void aRelaunchedKernelDoesNotGoBackToAnOlderFile() throws IOException {
		Path saved = this.directory.resolve("saved");
		Path away = this.directory.resolve("away");
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, new Snapshots(saved, Duration.ZERO, true), new Sum());
			kernel.client().call(new Number(5));
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
			Files.move(saved, away);
			Files.createFile(saved);
			kernel.terminate();
			assertThat(kernel.stateOrigin().orElseThrow().problem()).contains("saved", "snapshot-directory");
			Files.delete(saved);
			Files.move(away, saved);
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(7);
			assertThat(kernel.stateOrigin().orElseThrow().reason()).contains("was not saved");
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(8);
			assertThat(kernel.stateOrigin().orElseThrow().restoredFrom()).isNotNull();
		}
	}

	/** No request has changed it since. */
	@Test
	void aStateThatWasRestoredIsSaved() {
		Path backup = this.directory.resolve("backup");
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, Snapshots.NONE, new Sum());
			kernel.client().call(new Number(5));
			kernel.snapshot(backup);
		}
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, saving(SHORT, false), new Sum());
			kernel.restore(backup);
			Awaitility.await().atMost(LIMIT).until(() -> kernel.stateOrigin().orElseThrow().savedAt() != null);
		}
		assertThat(sumOf(saving(Duration.ZERO, false), new Sum(), 1)).isEqualTo(6);
	}

	@Test
	void aDamagedFileIsRefusedAndKept() throws IOException {
		Path file = this.directory.resolve("sum.snapshot");
		sumOf(saving(Duration.ZERO, true), new Sum(), 5);
		byte[] damaged = Files.readAllBytes(file);
		damaged[damaged.length - 6] ^= 1;
		Files.write(file, damaged);
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = runtime.define(spec(saving(Duration.ZERO, true), new Sum()));
			assertThatExceptionOfType(SnapshotException.class).isThrownBy(kernel::launch)
				.withMessageContainingAll("sum.snapshot", "check sum", "remove it");
			assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		}
		assertThat(file).hasBinaryContent(damaged);
	}

	@Test
	void aSnapshotThatCannotBeWrittenDisturbsNoRequest() throws IOException {
		Path occupied = Files.createFile(this.directory.resolve("occupied"));
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, new Snapshots(occupied, SHORT, true), new Sum());
			long[] sent = new long[1];
			Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
				assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(++sent[0]);
				assertThat(kernel.stateOrigin().orElseThrow().problem()).contains("occupied", "snapshot-directory");
			});
			assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		}
	}

	@Test
	void aKernelWithoutStateIsLeftAlone() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, saving(SHORT, true), (request) -> request);
			assertThat(kernel.client().call(new Number(3)).value()).isEqualTo(3);
			assertThat(kernel.stateOrigin()).isEmpty();
		}
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void aHandlerThatCannotBeSavedServesAndSaysSo() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, saving(SHORT, true), new Listing());
			assertThat(kernel.client().call(new Number(3)).value()).isOne();
			assertThat(kernel.stateOrigin().orElseThrow().problem()).contains("seen");
		}
	}

	private Snapshots saving(Duration every, boolean onShutdown) {
		return new Snapshots(this.directory, every, onShutdown);
	}

	private static long sumOf(Snapshots snapshots, Sum handler, long summand) {
		try (RingKernelRuntime runtime = runtime()) {
			return started(runtime, snapshots, handler).client().call(new Number(summand)).value();
		}
	}

	private static RingKernelRuntime runtime() {
		return RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider()));
	}

	private static Kernel<Number, Number> started(RingKernelRuntime runtime, Snapshots snapshots,
			RingKernelHandler<Number, Number> handler) {
		Kernel<Number, Number> kernel = runtime.define(spec(snapshots, handler));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static KernelSpec<Number, Number> spec(Snapshots snapshots, RingKernelHandler<Number, Number> handler) {
		return KernelSpec.of("sum", Number.class, Number.class, handler,
				KernelOptions.builder().workers(1).requestTimeout(LIMIT).snapshots(snapshots).build());
	}

	record Number(long value) {
	}

	static final class Sum implements RingKernelHandler<Number, Number> {

		private long sum;

		@Override
		public Number handle(Number request) {
			this.sum += request.value();
			return new Number(this.sum);
		}

	}

	static final class Listing implements RingKernelHandler<Number, Number> {

		private List<Number> seen = List.of();

		@Override
		public Number handle(Number request) {
			this.seen = List.of(request);
			return new Number(this.seen.size());
		}

	}

}
