package io.ringkernel.cuda;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.ringkernel.RequestLostException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.cuda.host.Chaos;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A kernel host on a device ends under load, and no request is lost that must not be.
 * What it has cost is printed, a line for each fault.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaChaosTests {

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(8)
		.requestTimeout(Duration.ofSeconds(30))
		.build();

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final KernelHostProvider provider = CudaBackendProvider
		.isolated(new HostOptions(HostOptions.DEFAULTS.directory(), Duration.ofSeconds(60), Duration.ofSeconds(2)));

	@Test
	void aHostThatIsKilled() throws Exception {
		survive("SIGKILL", (runtime) -> signal("KILL"));
	}

	@Test
	void aHostThatIsStopped() throws Exception {
		survive("SIGSTOP", (runtime) -> signal("STOP"));
	}

	@Test
	void aHostThatMeetsASegmentationFault() throws Exception {
		survive("SIGSEGV", (runtime) -> signal("SEGV"));
	}

	@Test
	void aKernelThatStoresToWhereNothingIs() throws Exception {
		survive("illegal address", (runtime) -> fault(runtime, FaultMessages.BAD_ADDRESS));
	}

	@Test
	void aKernelThatTraps() throws Exception {
		survive("trap", (runtime) -> fault(runtime, FaultMessages.TRAP));
	}

	@Test
	void aKernelThatDoesNotEnd() throws Exception {
		List<HostEvent> events = new CopyOnWriteArrayList<>();
		String culprit = "ring kernel 'faulting' has been handling request 0 for 2s and does not end";
		this.provider.addHostListener(events::add);
		survive("endless handler", (runtime) -> {
			Kernel<Fault, Fault> endless = faulting(runtime,
					OPTIONS.toBuilder().requestTimeout(Duration.ofMillis(500)).build());
			assertThatExceptionOfType(RequestLostException.class)
				.isThrownBy(() -> endless.client().call(new Fault(1, FaultMessages.ENDLESS), LIMIT))
				.withMessageContaining("Request 0 to ring kernel 'faulting'");
		});
		assertThat(this.provider.hostStatus().lastExit()).contains(culprit);
		assertThat(events.get(0)).isInstanceOfSatisfying(KernelHostLost.class, (lost) -> {
			assertThat(lost.reason()).contains(culprit);
			assertThat(lost.atWork()).containsExactly("faulting");
		});
	}

	/** It may be answered before it breaks its kernel; otherwise it is lost. */
	private static void fault(RingKernelRuntime runtime, int how) {
		Kernel<Fault, Fault> faulting = faulting(runtime, OPTIONS);
		try {
			faulting.client().call(new Fault(1, how));
		}
		catch (RequestLostException ex) {
			assertThat(ex).hasMessageContaining("faulting");
		}
	}

	private static Kernel<Fault, Fault> faulting(RingKernelRuntime runtime, KernelOptions options) {
		Kernel<Fault, Fault> faulting = runtime.define(FaultMessages.kernel(options));
		faulting.launch();
		faulting.activate();
		return faulting;
	}

	private void survive(String fault, Consumer<RingKernelRuntime> event) throws InterruptedException {
		new Chaos().survive(fault, this.provider,
				List.of(echo("echo-never", Replay.NEVER), echo("echo-idempotent", Replay.IDEMPOTENT)), event);
	}

	private static KernelSpec<Echo, Echo> echo(String id, Replay replay) {
		KernelSpec<Echo, Echo> echo = new CudaTestKernels().echo(OPTIONS.toBuilder().replay(replay).build());
		return new KernelSpec<>(id, echo.requests(), echo.responses(), echo.handler(), echo.image() + "#echo",
				echo.options());
	}

	private void signal(String name) {
		try {
			new ProcessBuilder("kill", "-" + name, String.valueOf(this.provider.hostStatus().pid())).start().waitFor();
		}
		catch (IOException ex) {
			throw new IllegalStateException("kill cannot be started", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
