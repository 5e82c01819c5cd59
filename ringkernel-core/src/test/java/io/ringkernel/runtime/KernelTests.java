package io.ringkernel.runtime;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.sun.management.ThreadMXBean;
import io.ringkernel.Capacity;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.InPlaceRequest;
import io.ringkernel.InPlaceResponse;
import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.WaitStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelTests extends KernelFixture {

	record Text(long value) {

		@Override
		public long value() {
			if (this.value == 13) {
				throw new IllegalStateException("no thirteen");
			}
			return this.value;
		}

	}

	@Test
	void aCallAllocatesNoMoreThanItsResponse() {
		Kernel<Number, Number> kernel = define("lean", OPTIONS.toBuilder().waitStrategy(WaitStrategy.YIELD).build(),
				(request) -> request);
		start(kernel);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		Number request = new Number(5);
		int calls = 1_000;
		long allocated = Long.MAX_VALUE;
		// What the interpreter allocates is gone once everything is compiled.
		for (int round = 0; round < 20 && allocated > 24L * calls; round++) {
			long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
			for (int i = 0; i < calls; i++) {
				kernel.client().call(request);
			}
			allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
		}
		assertThat(allocated / calls).isLessThanOrEqualTo(24);
	}

	@Test
	void anInPlaceCallAllocatesNothing() {
		Kernel<Number, Number> kernel = define("in-place", OPTIONS.toBuilder().waitStrategy(WaitStrategy.YIELD).build(),
				(request) -> request);
		start(kernel);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		InPlaceCalls inPlace = kernel.client().openInPlace();
		Consumer<InPlaceRequest> writer = (request) -> request.fields().putLong(0, 0, 5);
		Consumer<InPlaceResponse> reader = (response) -> {
			if (response.fields().getLong(0, 0) != 5) {
				throw new AssertionError("another response");
			}
		};
		int calls = 1_000;
		long allocated = Long.MAX_VALUE;
		// What the interpreter allocates is gone once everything is compiled.
		for (int round = 0; round < 20 && allocated >= calls; round++) {
			long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
			for (int i = 0; i < calls; i++) {
				inPlace.call(writer, reader);
			}
			allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
		}
		assertThat(allocated / calls).isZero();
	}

	@Test
	void aResponseWhoseAccessorThrowsFailsItsRequestAlone() {
		Kernel<Number, Text> kernel = this.runtime.define(
				KernelSpec.of("accessors", Number.class, Text.class, (request) -> new Text(request.value()), OPTIONS));
		start(kernel);
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().call(new Number(13)))
			.withMessageContaining("no thirteen");
		assertThat(kernel.client().call(new Number(12))).isEqualTo(new Text(12));
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void aRequestThatDoesNotEncodeAfterAllHoldsNobodyUp() {
		Kernel<Fickle, Number> kernel = this.runtime
			.define(KernelSpec.of("fickle", Fickle.class, Number.class, (request) -> new Number(request.value()),
					OPTIONS.toBuilder().ringMemory(RingLayout.totalBytes(4, 2048, 8)).build()));
		start(kernel);
		for (int i = 0; i < 100; i++) {
			assertThatIllegalArgumentException().isThrownBy(() -> kernel.client().call(new Fickle(-1, new byte[2000])))
				.withMessage("changed its mind");
			assertThat(kernel.client().call(new Fickle(i, new byte[2000]))).isEqualTo(new Number(i));
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
	}

	/**
	 * Too large for a slot, so it is encoded where a position is claimed. Is measured,
	 * but does not encode if its value is negative.
	 */
	record Fickle(long value, @Capacity(2000) byte[] bytes) {

		private static final AtomicInteger READS = new AtomicInteger();

		@Override
		public byte[] bytes() {
			if (this.value < 0 && READS.incrementAndGet() % 2 == 0) {
				throw new IllegalArgumentException("changed its mind");
			}
			return this.bytes;
		}

	}

	@Test
	void anExceptionWhoseTextFailsIsStillReported() {
		Kernel<Number, Number> kernel = define("mute", (request) -> {
			throw new MuteException();
		});
		start(kernel);
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().call(new Number(1)))
			.withMessageContaining("MuteException")
			.withCauseInstanceOf(MuteException.class);
		assertThat(kernel.client().submit(new Number(1))).failsWithin(LIMIT)
			.withThrowableThat()
			.withCauseInstanceOf(HandlerFailedException.class);
	}

	private static final class MuteException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("no words");
		}

	}

	@Test
	void aKernelThatIsRemovedIsTerminatedAndItsIdIsFree() {
		Kernel<Number, Number> first = define("again", (request) -> request);
		start(first);
		this.runtime.remove(first);
		assertThat(first.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(this.runtime.kernel("again")).isEmpty();
		Kernel<Number, Number> second = define("again", (request) -> request);
		this.runtime.remove(first);
		assertThat(this.runtime.kernel("again")).containsSame(second);
	}

	@Test
	void theRemovalOfAKernelIsAnEvent() throws InterruptedException {
		Kernel<Number, Number> kernel = define("removed", (request) -> request);
		List<KernelEvent> removals = new CopyOnWriteArrayList<>();
		this.runtime.addListener((event) -> {
			if (event instanceof KernelRemoval) {
				removals.add(event);
			}
		});
		this.runtime.remove(kernel);
		this.runtime.remove(kernel);
		assertThat(this.runtime.awaitListeners(Duration.ofSeconds(30))).isTrue();
		assertThat(removals).containsExactly(new KernelRemoval(kernel));
	}

	@Test
	void theStatusShowsTheKernelAsItIs() {
		Kernel<Number, Number> kernel = define("shown",
				OPTIONS.toBuilder().ringMemory(RingLayout.totalBytes(8, 8, 8)).build(), (request) -> request);
		assertThat(kernel.status().slots()).isZero();
		assertThat(kernel.status().memoryBytes()).isZero();
		start(kernel);
		for (int i = 0; i < 10; i++) {
			kernel.client().call(new Number(i));
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() == 10);
		KernelStatus status = kernel.status();
		assertThat(status.id()).isEqualTo("shown");
		assertThat(status.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(status.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(status.slots()).isEqualTo(8);
		assertThat(status.workers()).isEqualTo(2);
		assertThat(status.processed()).isEqualTo(10);
		assertThat(status.failed()).isZero();
		assertThat(status.heartbeat()).isPositive();
		assertThat(status.loopLaunches()).isPositive();
		assertThat(status.lastFailure()).isNull();
	}

	@Test
	void anIdIsGivenOnce() {
		define("taken", (request) -> request);
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> define("taken", (request) -> request))
			.withMessageContaining("'taken' is taken");
		assertThat(this.runtime.kernel("taken")).isPresent();
		assertThat(this.runtime.kernel("absent")).isEmpty();
		assertThat(this.runtime.kernels()).hasSize(1);
	}

}
