package io.ringkernel.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.state.HandlerState;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class StateKeeperTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final BiConsumer<String, Consumer<KernelMemory>> NEVER_AT_REST = (command, access) -> {
	};

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final KernelEvents events = new KernelEvents();

	private final AtomicLong answered = new AtomicLong();

	@TempDir
	private Path directory;

	@AfterEach
	void close() {
		this.runtime.close();
		this.events.close();
	}

	/** The one may be asked for while the other waits for the kernel to come to rest. */
	@Test
	void aSnapshotOfTheEndDoesNotMeetOneThatWaitsForTheKernel() throws Exception {
		CountDownLatch waits = new CountDownLatch(1);
		CountDownLatch atRest = new CountDownLatch(1);
		StateKeeper keeper = keeper(new Snapshots(this.directory, Duration.ofMillis(1), true));
		keeper.launched(() -> new Counter(1), (command, access) -> {
			waits.countDown();
			await(atRest);
			access.accept(new Counter(2));
		});
		this.answered.set(1);
		await(waits);
		keeper.leave(loop(new Counter(3)));
		assertThat(restored()).isEqualTo(3);
		atRest.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> restored() == 2);
		assertThat(keeper.origin().problem()).isNull();
		keeper.terminated(loop(new Counter(4)));
		assertThat(restored()).isEqualTo(4);
	}

	@Test
	void aSnapshotThatCannotBeReadKeepsNoLoopFromTakingOverAndIsKept() throws IOException {
		StateKeeper keeper = keeper(new Snapshots(this.directory, Duration.ZERO, true));
		keeper.launched(() -> new Counter(1), NEVER_AT_REST);
		keeper.leave(loop(new Counter(5)));
		Path file = this.directory.resolve("numbers.snapshot");
		byte[] damaged = Files.readAllBytes(file);
		damaged[damaged.length - 6] ^= 1;
		Files.write(file, damaged);
		Counter next = new Counter(0);
		keeper.takeOver(loop(next));
		assertThat(next.value).isZero();
		assertThat(keeper.origin().reason()).contains("check sum", "numbers.snapshot.unread");
		keeper.leave(loop(new Counter(6)));
		assertThat(restored()).isEqualTo(6);
		assertThat(this.directory.resolve("numbers.snapshot.unread")).hasBinaryContent(damaged);
	}

	/**
	 * A keeper that is writing a snapshot until a latch opens, and waits briefly for it.
	 */
	private StateKeeper writing(CountDownLatch written) {
		CountDownLatch writes = new CountDownLatch(1);
		StateKeeper keeper = keeper(KernelOptions.builder()
			.snapshots(new Snapshots(this.directory, Duration.ofMillis(1), true))
			.stopTimeout(Duration.ofMillis(10)));
		keeper.launched(() -> new Counter(1), (command, access) -> {
			access.accept(new Counter(2));
			writes.countDown();
			await(written);
		});
		this.answered.set(1);
		await(writes);
		return keeper;
	}

	/** The thread that writes one holds the kernel, and all that wait for the kernel. */
	@Test
	void aSnapshotDoesNotWaitWithoutEndForTheOneBefore() throws Exception {
		CountDownLatch written = new CountDownLatch(1);
		StateKeeper keeper = writing(written);
		try {
			assertThat(CompletableFuture.runAsync(() -> keeper.leave(loop(new Counter(3))))).failsWithin(LIMIT)
				.withThrowableThat()
				.withCauseInstanceOf(SnapshotException.class)
				.withMessageContaining("would begin with an older one");
			assertThat(keeper.origin().problem()).contains("the one before was still being written", "PT0.01S",
					"stop-timeout");
		}
		finally {
			written.countDown();
		}
		Awaitility.await().atMost(LIMIT).until(() -> restored() == 2);
	}

	/** The one before is older, even if it gets into its place later. */
	@Test
	void aLaunchBehindASnapshotThatWaitedInVainGoesOnWithTheHandler() throws Exception {
		CountDownLatch written = new CountDownLatch(1);
		StateKeeper keeper = writing(written);
		try {
			keeper.terminated(loop(new Counter(3)));
		}
		finally {
			written.countDown();
		}
		Awaitility.await().atMost(LIMIT).until(() -> restored() == 2);
		Counter next = new Counter(0);
		keeper.launched(() -> next, NEVER_AT_REST);
		assertThat(next.value).isEqualTo(3);
		keeper.terminated(loop(next));
	}

	/** It can never be saved, so that nothing is gained by a wait for it. */
	@Test
	void aLoopWithOtherStateIsLeftAllTheSame() {
		StateKeeper keeper = keeper(new Snapshots(this.directory, Duration.ZERO, true));
		keeper.launched(() -> new Counter(1), NEVER_AT_REST);
		keeper.leave(loop(new HandlerState("numbers", new Object())));
		assertThat(keeper.origin().problem()).contains("keeps other state");
	}

	private StateKeeper keeper(Snapshots snapshots) {
		return keeper(KernelOptions.builder().snapshots(snapshots));
	}

	private StateKeeper keeper(KernelOptions.Builder options) {
		return new StateKeeper(
				this.runtime.define(
						KernelSpec.of("numbers", Number.class, Number.class, (request) -> request, options.build())),
				this.answered::get, this.events);
	}

	/** What the next loop finds. */
	private long restored() {
		Counter next = new Counter(0);
		StateKeeper reader = new StateKeeper(this.runtime.kernel("numbers").orElseThrow(), this.answered::get,
				this.events);
		reader.launched(() -> next, NEVER_AT_REST);
		return next.value;
	}

	private static DeviceLoop loop(KernelMemory memory) {
		return new StoppedLoop(memory);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	record Number(long value) {
	}

	private static final class Counter implements KernelMemory {

		private volatile long value;

		Counter(long value) {
			this.value = value;
		}

		@Override
		public List<StateField> fields() {
			return List.of(new StateField("count", "long", Long.BYTES));
		}

		@Override
		public void read(int field, long offset, ByteBuffer target) {
			target.putLong(this.value);
		}

		@Override
		public void write(int field, long offset, ByteBuffer source) {
			this.value = source.getLong();
		}

	}

	private record StoppedLoop(KernelMemory memory) implements DeviceLoop {

		@Override
		public KernelMemory memory(KernelSpec<?, ?> kernel) {
			return this.memory;
		}

		@Override
		public @Nullable Throwable failure() {
			return null;
		}

		@Override
		public int activeWorkers() {
			return 0;
		}

		@Override
		public boolean stop(Duration timeout) {
			return true;
		}

		@Override
		public void start() {
			throw new UnsupportedOperationException("has stopped");
		}

		@Override
		public void doorbell() {
		}

		@Override
		public void nudge() {
		}

		@Override
		public void interrupt() {
		}

		@Override
		public void close() {
		}

	}

}
