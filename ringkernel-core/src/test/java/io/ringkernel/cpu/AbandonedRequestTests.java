package io.ringkernel.cpu;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.TestShare;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.MessageKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AbandonedRequestTests {

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void theHandlerOfAnAbandonedRequestIsInterrupted(ExecutionMode mode) throws InterruptedException {
		Held held = new Held();
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(1, held::handle))) {
			rig.loop.start();
			long position = rig.send(0);
			held.awaitBegun();
			rig.ring.requests().withdraw(position);
			rig.loop.abandon(position);
			assertThat(rig.await(position)).isEqualTo(MessageKind.WITHDRAWN);
			assertThat(rig.failures.take(rig.ring.layout().slot(position))).isNull();
			assertThat(rig.control.failed()).isZero();
			assertThat(rig.receive(rig.send(1)).value()).isEqualTo(1);
		}
	}

	@Test
	void aHandlerRunsToItsEndIfThatIsConfigured() throws InterruptedException {
		Held held = new Held();
		KernelOptions options = KernelOptions.builder().workers(1).interruptOnTimeout(false).build();
		try (CpuRig rig = new CpuRig(ExecutionMode.PERSISTENT, CpuRig.spec(options, held::handle))) {
			rig.loop.start();
			long position = rig.send(0);
			held.awaitBegun();
			rig.ring.requests().withdraw(position);
			rig.loop.abandon(position);
			assertThat(rig.ring.responses().isAnswered(position)).isFalse();
			held.release();
			assertThat(rig.receive(position).value()).isZero();
		}
	}

	@Test
	void anotherRequestIsNotInterrupted() throws InterruptedException {
		Held held = new Held();
		try (CpuRig rig = new CpuRig(ExecutionMode.PERSISTENT, CpuRig.spec(1, held::handle))) {
			rig.loop.start();
			long position = rig.send(0);
			held.awaitBegun();
			long queued = rig.send(1);
			rig.ring.requests().withdraw(queued);
			rig.loop.abandon(queued);
			assertThat(rig.ring.responses().isAnswered(position)).isFalse();
			held.release();
			assertThat(rig.receive(position).value()).isZero();
			assertThat(rig.await(queued)).isEqualTo(MessageKind.WITHDRAWN);
		}
	}

	@Test
	void everyAbandonedRequestIsSkippedOrInterruptedAndNoOther() throws InterruptedException {
		AtomicInteger begun = new AtomicInteger();
		AtomicInteger wrong = new AtomicInteger();
		try (CpuRig rig = new CpuRig(ExecutionMode.PERSISTENT, CpuRig.spec(1, (request) -> {
			if (request.value() == 0) {
				begun.incrementAndGet();
				awaitInterrupt();
			}
			for (int i = 0; i < request.value() && !Thread.currentThread().isInterrupted(); i++) {
				Thread.onSpinWait();
			}
			if (request.value() > 0 && Thread.currentThread().isInterrupted()) {
				wrong.incrementAndGet();
			}
			return request;
		}))) {
			rig.loop.start();
			SplittableRandom random = new SplittableRandom(1);
			for (int i = 0; i < TestShare.of(20_000); i++) {
				int before = begun.get();
				long abandoned = rig.send(0);
				long kept = rig.send(random.nextInt(1, 300));
				boolean isAwaited = random.nextInt(4) == 0;
				for (int spins = random.nextInt(150); spins > 0 || (isAwaited && begun.get() == before); spins--) {
					Thread.onSpinWait();
				}
				rig.ring.requests().withdraw(abandoned);
				rig.loop.abandon(abandoned);
				rig.await(abandoned);
				rig.ring.claims().release(abandoned);
				rig.receive(kept);
			}
			assertThat(begun).hasPositiveValue();
			assertThat(wrong).hasValue(0);
		}
	}

	private static void awaitInterrupt() {
		while (!Thread.currentThread().isInterrupted()) {
			Thread.onSpinWait();
		}
	}

}
