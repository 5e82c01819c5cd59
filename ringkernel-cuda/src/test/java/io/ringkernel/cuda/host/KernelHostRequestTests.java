package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of the requests of a kernel whose host ends, or is ended since a handler
 * does not.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class KernelHostRequestTests extends KernelHostFixture {

	KernelHostRequestTests(@TempDir Path directory) {
		super(directory);
	}

	@Test
	void whatMayHaveBeenBegunIsLostAndWhatWasNotIsAnswered() {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO,
				OPTIONS.toBuilder().workers(1).replay(Replay.NEVER).build());
		CompletableFuture<Number> begun = kernel.client().submit(new Number(DeviceHostMain.HANG));
		List<CompletableFuture<Number>> waiting = LongStream.range(1, 9)
			.mapToObj((value) -> kernel.client().submit(new Number(value)))
			.toList();
		host().destroyForcibly();
		assertThat(begun).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(RequestLostException.class)
			.withMessageContaining("may have handled it");
		// The worker could have begun it, if its answer to the one before was on its way.
		assertThat(waiting.get(0)).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(RequestLostException.class);
		for (int i = 1; i < waiting.size(); i++) {
			assertThat(waiting.get(i)).succeedsWithin(LIMIT).isEqualTo(new Number(2 * (i + 1)));
		}
		assertThat(kernel.status().lost()).isEqualTo(2);
		assertThat(kernel.status().replayed()).isZero();
	}

	@Test
	void whatMayHaveBeenBegunIsHandledAgainIfThePolicyAdmitsIt() {
		KernelOptions never = OPTIONS.toBuilder().workers(1).replay(Replay.NEVER).build();
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider, new CpuBackendProvider()));
		Kernel<Number, Number> kernel = activate(this.runtime, DeviceHostMain.kernel("numbers", never)
			.withReplay((kernelId, request) -> request.equals(new Number(DeviceHostMain.HANG))));
		CompletableFuture<Number> begun = kernel.client().submit(new Number(DeviceHostMain.HANG));
		host().destroyForcibly();
		assertThat(begun).succeedsWithin(LIMIT).isEqualTo(new Number(2 * DeviceHostMain.HANG));
		// It is counted once the loop has started that may have answered it.
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().replayed() == 1);
		assertThat(kernel.status().lost()).isZero();
	}

	/** The loop has stopped behind the request that its worker had begun. */
	@Test
	void whatIsQueuedWhileAKernelIsInactiveIsAnsweredAfterTheHostHasEnded() {
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider, new CpuBackendProvider()));
		this.runtime.addListener(new Listener());
		Kernel<Number, Number> kernel = activate(this.runtime, DeviceHostMain.kernel("numbers",
				OPTIONS.toBuilder().workers(1).stopTimeout(LIMIT).replay(Replay.NEVER).build()));
		List<CompletableFuture<Number>> queued = LongStream
			.concat(LongStream.of(DeviceHostMain.SLOW), LongStream.range(1, 9))
			.mapToObj((value) -> kernel.client().submit(new Number(value)))
			.toList();
		kernel.deactivate();
		host().destroyForcibly();
		awaitEvents(KernelHostLost.class);
		kernel.activate();
		assertThat(queued).allSatisfy((answer) -> assertThat(answer).succeedsWithin(LIMIT));
		assertThat(kernel.status().lost()).isZero();
	}

	@Test
	void aHandlerThatHangsTakesItsWorkerAlone() {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		assertThatExceptionOfType(RingKernelException.class)
			.isThrownBy(() -> kernel.client().call(new Number(DeviceHostMain.HANG), Duration.ofMillis(100)));
		assertThat(kernel.client().call(new Number(8))).isEqualTo(new Number(16));
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
	}

	@Test
	void aHandlerThatDoesNotEndEndsTheHostAndNothingElseIsLost() {
		KernelHostProvider impatient = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(this.directory, Duration.ofSeconds(30), Duration.ofSeconds(2), 1));
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(impatient, new CpuBackendProvider()));
		this.runtime.addListener(new Listener());
		KernelOptions options = OPTIONS.toBuilder().requestTimeout(Duration.ofSeconds(3)).replay(Replay.NEVER).build();
		Kernel<Number, Number> kernel = activate(this.runtime, "numbers", options);
		Kernel<Number, Number> other = activate(this.runtime, "others", OPTIONS);
		CompletableFuture<Number> endless = kernel.client().submit(new Number(DeviceHostMain.HANG), LIMIT);
		assertThat(endless).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(RequestLostException.class)
			.withMessageContaining("Request 1 to ring kernel 'numbers'");
		assertThat(other.client().call(new Number(9), LIMIT)).isEqualTo(new Number(18));
		assertThat(kernel.client().call(new Number(4), LIMIT)).isEqualTo(new Number(8));
		awaitEvents(KernelHostLost.class, KernelHostRestarted.class);
		assertThat(this.events.get(0)).isInstanceOfSatisfying(KernelHostLost.class, (lost) -> {
			assertThat(lost.reason()).contains("ring kernel 'numbers' has been handling request 1 for 3s");
			assertThat(lost.atWork()).containsExactly("numbers");
			assertThat(impatient.hosts().get(0).lastExit()).as("what health shows").isEqualTo(lost.reason());
		});
		assertThat(kernel.status().lost()).isEqualTo(1);
		assertThat(other.status().lost()).isZero();
	}

	/** While the kernel drains, a worker comes to the request. */
	@Test
	void aHandlerThatDoesNotEndEndsTheHostAlsoIfItsKernelWasTerminated() {
		KernelHostProvider impatient = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(this.directory, Duration.ofSeconds(30), Duration.ofSeconds(2), 1));
		this.runtime = RingKernelRuntime.open(CUDA, List.of(impatient, new CpuBackendProvider()));
		this.runtime.addListener(new Listener());
		KernelOptions options = OPTIONS.toBuilder()
			.requestTimeout(Duration.ofSeconds(10))
			.drainTimeout(Duration.ofSeconds(1))
			.replay(Replay.NEVER)
			.build();
		Kernel<Number, Number> kernel = activate(this.runtime, "numbers", options);
		kernel.client().submit(new Number(DeviceHostMain.HANG), LIMIT);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::terminate);
		awaitEvents(KernelHostLost.class);
		assertThat(((KernelHostLost) this.events.get(0)).atWork()).containsExactly("numbers");
		kernel.relaunch();
		assertThat(kernel.client().call(new Number(4), LIMIT)).isEqualTo(new Number(8));
	}

}
