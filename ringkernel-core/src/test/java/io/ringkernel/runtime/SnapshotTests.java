package io.ringkernel.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.ForwardingLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlayedProvider;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.PartlyRestoredException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(1)
		.requestTimeout(LIMIT)
		.stopTimeout(Duration.ofSeconds(10))
		.build();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private static final int REQUESTS = 5_000;

	@TempDir
	private Path directory;

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void stateGoesBackToThatOfTheSnapshot() {
		Path file = this.directory.resolve("sum.snapshot");
		Kernel<Number, Number> kernel = define(this.runtime, "sum", new Sum());
		start(kernel);
		add(kernel, 5);
		kernel.snapshot(file);
		add(kernel, 100);
		kernel.restore(file);
		assertThat(add(kernel, 1)).isEqualTo(6);
	}

	@Test
	void anotherRuntimeGoesOnWithTheState() {
		Path file = this.directory.resolve("sum.snapshot");
		Kernel<Number, Number> kernel = define(this.runtime, "sum", new Sum());
		start(kernel);
		add(kernel, 5);
		kernel.snapshot(file);
		try (RingKernelRuntime next = RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider()))) {
			Kernel<Number, Number> successor = define(next, "sum", new Sum());
			successor.launch();
			successor.restore(file);
			assertThat(successor.state()).isEqualTo(KernelState.LAUNCHED);
			successor.activate();
			assertThat(add(successor, 1)).isEqualTo(6);
		}
	}

	@Test
	void snapshotsUnderLoadLoseAndRepeatNothing() throws Exception {
		Path file = this.directory.resolve("sum.snapshot");
		Kernel<Number, Number> kernel = define(this.runtime, "sum", new Sum());
		start(kernel);
		CountDownLatch begun = new CountDownLatch(100);
		CompletableFuture<List<Long>> answers = CompletableFuture.supplyAsync(() -> {
			List<Long> sums = new ArrayList<>();
			for (int i = 0; i < REQUESTS; i++) {
				sums.add(add(kernel, 1));
				begun.countDown();
			}
			return sums;
		});
		assertThat(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		int snapshots = 0;
		do {
			kernel.snapshot(file);
			snapshots++;
		}
		while (!answers.isDone() && snapshots < 10);
		List<Long> sums = answers.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
		assertThat(sums).hasSize(REQUESTS).isSorted().doesNotHaveDuplicates();
		assertThat(sums.get(REQUESTS - 1)).isEqualTo(REQUESTS);
		kernel.restore(file);
		assertThat(add(kernel, 1)).isBetween(101L, REQUESTS + 1L);
	}

	@Test
	void anInactiveKernelStaysSo() {
		Path file = this.directory.resolve("sum.snapshot");
		Kernel<Number, Number> kernel = define(this.runtime, "sum", new Sum());
		start(kernel);
		kernel.deactivate();
		kernel.snapshot(file);
		kernel.restore(file);
		assertThat(kernel.state()).isEqualTo(KernelState.INACTIVE);
	}

	@Test
	void aKernelThatIsNotLaunchedHasNoState() {
		Kernel<Number, Number> kernel = define(this.runtime, "sum", new Sum());
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> kernel.snapshot(this.directory.resolve("sum.snapshot")));
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void aKernelWhoseStateIsRefusedServesOn() {
		List<Long> seen = new ArrayList<>();
		Kernel<Number, Number> kernel = define(this.runtime, "list", (request) -> {
			seen.add(request.value());
			return request;
		});
		start(kernel);
		assertThatExceptionOfType(SnapshotException.class)
			.isThrownBy(() -> kernel.snapshot(this.directory.resolve("list.snapshot")))
			.withMessageContaining("java.util.List");
		assertThat(add(kernel, 3)).isEqualTo(3);
	}

	@Test
	void aKernelThatDoesNotStartAgainHidesNoFailureOfItsSnapshot() {
		FaultyProvider provider = new FaultyProvider();
		try (RingKernelRuntime faulty = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			List<Long> seen = new ArrayList<>();
			Kernel<Number, Number> kernel = define(faulty, "list", (request) -> {
				seen.add(request.value());
				return request;
			});
			start(kernel);
			RuntimeException refusal = new IllegalStateException("does not start");
			provider.startFailure = refusal;
			assertThatExceptionOfType(SnapshotException.class)
				.isThrownBy(() -> kernel.snapshot(this.directory.resolve("list.snapshot")))
				.withMessageContaining("java.util.List")
				.satisfies((ex) -> assertThat(ex).hasSuppressedException(refusal));
			assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
			assertThat(this.directory).isEmptyDirectory();
			provider.startFailure = null;
			kernel.relaunch();
			assertThat(add(kernel, 3)).isEqualTo(3);
		}
	}

	@Test
	void aKernelWithPartsOfTwoStatesServesNoMore() {
		Path file = this.directory.resolve("sum.snapshot");
		Backend cutting = new ForwardingBackend(new CpuBackend(ExecutionMode.PERSISTENT)) {

			@Override
			public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
				return new ForwardingLoop(super.load(kernel, region)) {

					@Override
					public KernelMemory memory(KernelSpec<?, ?> spec) {
						return new CuttingMemory(super.memory(spec), file);
					}

				};
			}

		};
		try (RingKernelRuntime faulty = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(PlayedProvider.cpu(cutting)))) {
			Kernel<Number, Number> kernel = define(faulty, "sum", new Sum());
			start(kernel);
			add(kernel, 5);
			kernel.snapshot(file);
			assertThatExceptionOfType(PartlyRestoredException.class).isThrownBy(() -> kernel.restore(file));
			assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
			kernel.relaunch();
			assertThat(add(kernel, 0)).isEqualTo(5);
		}
	}

	private static Kernel<Number, Number> define(RingKernelRuntime runtime, String id,
			RingKernelHandler<Number, Number> handler) {
		return runtime.define(KernelSpec.of(id, Number.class, Number.class, handler, OPTIONS));
	}

	private static void start(Kernel<Number, Number> kernel) {
		kernel.launch();
		kernel.activate();
	}

	private static long add(Kernel<Number, Number> kernel, long value) {
		return kernel.client().call(new Number(value)).value();
	}

	record Number(long value) {
	}

	/**
	 * Cuts the file that a state is restored from behind its first field.
	 */
	private record CuttingMemory(KernelMemory memory, Path file) implements KernelMemory {

		@Override
		public List<StateField> fields() {
			return this.memory.fields();
		}

		@Override
		public void read(int field, long offset, ByteBuffer target) {
			this.memory.read(field, offset, target);
		}

		@Override
		public void write(int field, long offset, ByteBuffer source) {
			this.memory.write(field, offset, source);
			try {
				Files.write(this.file, new byte[1]);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	private static final class Sum implements RingKernelHandler<Number, Number> {

		private final long[] sums = new long[1];

		private long sum;

		@Override
		public Number handle(Number request) {
			this.sum += request.value();
			this.sums[0] = this.sum;
			return new Number(this.sum);
		}

	}

}
