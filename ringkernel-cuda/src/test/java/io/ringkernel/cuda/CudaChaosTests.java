package io.ringkernel.cuda;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.cuda.host.Chaos;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A kernel host on a device ends under load, and no request is lost that must not be.
 * What each fault has cost is printed, as a row of a table.
 * <p>
 * {@code -Dringkernel.chaos.rounds} is how often each fault happens, and
 * {@code -Dringkernel.chaos.faults} how many happen one after the other, with
 * {@code -Dringkernel.chaos.pause-millis} between them.
 */
@RequiresGpu
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaChaosTests {

	private static final int ROUNDS = Integer.getInteger("ringkernel.chaos.rounds", 1);

	/** Of faults that take seconds until they are seen. */
	private static final int FEW_ROUNDS = Math.max(1, ROUNDS / 5);

	private static final int FAULTS = Integer.getInteger("ringkernel.chaos.faults", 4);

	private static final long PAUSE_MILLIS = Long.getLong("ringkernel.chaos.pause-millis", 0);

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(8)
		.requestTimeout(Duration.ofSeconds(30))
		.build();

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final KernelHostProvider provider = Chaos.patient(new CudaBackendProvider(), CudaHostMain.class,
			new HostOptions(HostOptions.DEFAULTS.directory(), Duration.ofSeconds(60), Duration.ofSeconds(2),
					HostOptions.STUCK_AFTER));

	@Test
	void aHostThatIsKilled() throws Exception {
		survive("SIGKILL", ROUNDS, 1, (runtime) -> signal("KILL"));
	}

	@Test
	void aHostThatIsStopped() throws Exception {
		survive("SIGSTOP", FEW_ROUNDS, 1, (runtime) -> signal("STOP"));
	}

	@Test
	void aHostThatMeetsASegmentationFault() throws Exception {
		survive("SIGSEGV", FEW_ROUNDS, 1, (runtime) -> signal("SEGV"));
	}

	@Test
	void aHostThatReplacesAnotherOneAndIsKilledAtOnce() throws Exception {
		survive("SIGKILL during recovery", FEW_ROUNDS, 2, (runtime) -> {
			long first = this.provider.hosts().get(0).pid();
			signal("KILL");
			Awaitility.await()
				.atMost(LIMIT)
				.pollInterval(Duration.ofMillis(1))
				.until(() -> this.provider.hosts().get(0).pid() != first && this.provider.hosts().get(0).pid() != 0);
			signal("KILL");
		});
	}

	@Test
	void aKernelThatStoresToWhereNothingIs() throws Exception {
		survive("illegal address", ROUNDS, 1, (runtime) -> fault(runtime, FaultMessages.BAD_ADDRESS));
	}

	/** The emulated device has the memory of the machine, which takes any address. */
	@Test
	@DisabledIfSystemProperty(named = "ringkernel.emulated-driver", matches = ".+")
	void aKernelThatStoresAcrossAWord() throws Exception {
		survive("misaligned address", FEW_ROUNDS, 1, (runtime) -> fault(runtime, FaultMessages.MISALIGNED));
	}

	@Test
	void aKernelThatTraps() throws Exception {
		survive("trap", ROUNDS, 1, (runtime) -> fault(runtime, FaultMessages.TRAP));
	}

	@Test
	void aKernelThatDoesNotEnd() throws Exception {
		List<HostEvent> events = new CopyOnWriteArrayList<>();
		String culprit = "ring kernel 'faulting' has been handling request 0 for 2s and does not end";
		this.provider.addHostListener(events::add);
		survive("endless handler", FEW_ROUNDS, 1, (runtime) -> {
			Kernel<Fault, Fault> endless = faulting(runtime,
					OPTIONS.toBuilder().requestTimeout(Duration.ofMillis(500)).build());
			assertThatExceptionOfType(RequestLostException.class)
				.isThrownBy(() -> endless.client().call(new Fault(1, FaultMessages.ENDLESS), LIMIT))
				.withMessageContaining("Request 0 to ring kernel 'faulting'");
		});
		assertThat(this.provider.hosts().get(0).lastExit()).contains(culprit);
		assertThat(events.get(0)).isInstanceOfSatisfying(KernelHostLost.class, (lost) -> {
			assertThat(lost.reason()).contains(culprit);
			assertThat(lost.atWork()).containsExactly("faulting");
		});
	}

	/** Heap, direct memory, threads and open files are those after the first faults. */
	@Test
	void faultAfterFaultLeavesNothingBehind() throws Exception {
		List<String> signals = List.of("KILL", "SEGV", "KILL", "KILL");
		try (Chaos chaos = chaos()) {
			Footprint before = null;
			for (int i = 0; i < FAULTS; i++) {
				String signal = signals.get(i % signals.size());
				chaos.survive(1, (runtime) -> signal(signal));
				if (i == FAULTS / 2) {
					before = Footprint.now();
				}
				TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
			}
			Footprint after = Footprint.now();
			System.out.printf("chaos after %d of %d faults %s, after all %s, %d requests answered%n", FAULTS / 2 + 1,
					FAULTS, before, after, chaos.answered());
			after.verifyNoMoreThan(before);
		}
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

	@SuppressWarnings("unchecked")
	private static Kernel<Fault, Fault> faulting(RingKernelRuntime runtime, KernelOptions options) {
		if (runtime.kernel("faulting").isPresent()) {
			Kernel<Fault, Fault> known = (Kernel<Fault, Fault>) runtime.kernel("faulting").get();
			known.relaunch();
			return known;
		}
		Kernel<Fault, Fault> faulting = runtime.define(FaultMessages.kernel(options));
		faulting.launch();
		faulting.activate();
		return faulting;
	}

	private void survive(String fault, int rounds, int hosts, Consumer<RingKernelRuntime> event)
			throws InterruptedException {
		List<Chaos.Cost> costs = new ArrayList<>();
		try (Chaos chaos = chaos()) {
			for (int i = 0; i < rounds; i++) {
				costs.add(chaos.survive(hosts, event));
			}
		}
		System.out.printf("chaos | %s | %d | %d ms | %d ms | %.1f s | %d | %d |%n", fault, rounds,
				median(costs, Chaos.Cost::longestCallNanos) / 1_000_000,
				median(costs, Chaos.Cost::seenNanos) / 1_000_000, median(costs, Chaos.Cost::backNanos) / 1e9,
				costs.stream().mapToLong(Chaos.Cost::lost).sum(), costs.stream().mapToLong(Chaos.Cost::replayed).sum());
	}

	private static long median(List<Chaos.Cost> costs, ToLongFunction<Chaos.Cost> cost) {
		return costs.stream().mapToLong(cost).sorted().skip((costs.size() - 1) / 2).findFirst().orElseThrow();
	}

	private Chaos chaos() {
		return new Chaos(this.provider,
				List.of(echo("echo-never", Replay.NEVER), echo("echo-idempotent", Replay.IDEMPOTENT)));
	}

	private static KernelSpec<Echo, Echo> echo(String id, Replay replay) {
		KernelSpec<Echo, Echo> echo = new CudaTestKernels().echo(OPTIONS.toBuilder().replay(replay).build());
		return new KernelSpec<>(id, echo.requests(), echo.responses(), echo.handler(), echo.image() + "#echo",
				echo.options());
	}

	/**
	 * On a loaded machine a host may have been given up by itself. Process 0 is then
	 * none: {@code kill} takes it for the group of this one, which would stop or end the
	 * build.
	 */
	private void signal(String name) {
		long host = Awaitility.await()
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(1))
			.until(() -> this.provider.hosts().get(0).pid(), (pid) -> pid != 0);
		try {
			new ProcessBuilder("kill", "-" + name, String.valueOf(host)).start().waitFor();
		}
		catch (IOException ex) {
			throw new IllegalStateException("kill cannot be started", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
