package io.ringkernel.conformance;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A loop takes over, under load, the ring that a loop of the same or of another backend
 * has served.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class HandOverConformance {

	private static final int HAND_OVERS = 6;

	private static final int CALLERS = 4;

	/** Few, so that requests in flight are laps behind the head. */
	private static final int SLOTS = 8;

	@RegisterExtension
	final ConformanceFixture fixture;

	private final AtomicLong answered = new AtomicLong();

	private final AtomicBoolean done = new AtomicBoolean();

	HandOverConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	@Test
	void everyRequestIsAnsweredOnceWhileLoopsTakeOverFromEachOther() throws Exception {
		RotatingLoops loops = new RotatingLoops(this.fixture.provider());
		PlanRequest plan = this.fixture.plan();
		try (RingKernelRuntime runtime = RingKernelRuntime
			.open(new PlanRequest(BackendKind.CUDA, plan.mode(), plan.transport()), List.of(loops))) {
			Kernel<Echo, Echo> echo = runtime.define(ConformanceFixture.withSlots(SLOTS,
					ConformanceFixture.withImage(this.fixture.kernels().echo(ConformanceFixture.OPTIONS))));
			echo.launch();
			echo.activate();
			Concurrently.Running callers = Concurrently.start(CALLERS, (caller) -> echo(echo, caller));
			handOver(loops);
			callers.join(ConformanceFixture.LIMIT);
			ConformanceFixture.await()
				.untilAsserted(() -> assertThat(echo.status().processed()).as("each request is handled once")
					.isEqualTo(this.answered.get()));
		}
	}

	@Test
	void aLargeRequestIsAnsweredInWholeWhileLoopsTakeOverFromEachOther() throws Exception {
		RotatingLoops loops = new RotatingLoops(this.fixture.provider());
		PlanRequest plan = this.fixture.plan();
		try (RingKernelRuntime runtime = RingKernelRuntime
			.open(new PlanRequest(BackendKind.CUDA, plan.mode(), plan.transport()), List.of(loops))) {
			Kernel<Blob, BlobReply> blob = runtime.define(ConformanceFixture.withSlots(SLOTS,
					ConformanceFixture.withImage(this.fixture.kernels().blob(ConformanceFixture.OPTIONS))));
			blob.launch();
			blob.activate();
			Concurrently.Running callers = Concurrently.start(CALLERS, (caller) -> blob(blob, caller));
			handOver(loops);
			callers.join(ConformanceFixture.LIMIT);
		}
	}

	private void handOver(RotatingLoops loops) throws InterruptedException {
		for (int i = 0; i < HAND_OVERS; i++) {
			EndableLoop loop = loops.awaitLoop();
			awaitMore();
			loop.end(new PlanFailedException("a kernel", "a test has ended it", null));
		}
		loops.awaitLoop();
		awaitMore();
		this.done.set(true);
	}

	private void awaitMore() {
		long before = this.answered.get();
		ConformanceFixture.await().until(() -> this.answered.get() > before + ConformanceFixture.many(100));
	}

	private void echo(Kernel<Echo, Echo> kernel, int caller) {
		for (long sequence = 0; !this.done.get(); sequence++) {
			Echo request = Echo.of(caller, sequence);
			if (sequence % 4 == 0) {
				assertThat(kernel.client().submit(request).join()).isEqualTo(request);
			}
			else {
				assertThat(kernel.client().call(request)).isEqualTo(request);
			}
			this.answered.incrementAndGet();
		}
	}

	private void blob(Kernel<Blob, BlobReply> kernel, int caller) {
		for (int sequence = 0; !this.done.get(); sequence++) {
			byte[] bytes = new byte[(sequence % 2 == 0) ? 100 : 20_000];
			bytes[bytes.length - 1] = (byte) caller;
			BlobReply reply = kernel.client().call(new Blob(caller, sequence, bytes));
			assertThat(reply.bytes()).isEqualTo(bytes);
			assertThat(reply.checksum()).isEqualTo(Blob.checksum(bytes));
			this.answered.incrementAndGet();
		}
	}

}
