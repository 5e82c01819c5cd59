package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.cuda.host.wire.HostFailureException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.KernelQuarantined;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A kernel host ends in each of the ways in which a process can, and the application goes
 * on.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class KernelHostTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(4)
		.requestTimeout(LIMIT)
		.replay(Replay.IDEMPOTENT)
		.build();

	private static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicLong answered = new AtomicLong();

	private final KernelHostProvider provider;

	private final Path directory;

	private final List<KernelPlanChange> changes = new CopyOnWriteArrayList<>();

	private final List<HostEvent> events = new CopyOnWriteArrayList<>();

	private RingKernelRuntime runtime;

	KernelHostTests(@TempDir Path directory) {
		this.directory = directory;
		this.provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(directory, Duration.ofSeconds(30), Duration.ofSeconds(1)));
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void aHostThatIsKilledUnderLoadLosesNoRequest() throws Exception {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
		Concurrently.Running callers = Concurrently.start(4, (caller) -> call(kernel, caller));
		awaitMore(500);
		long first = host().pid();
		host().destroyForcibly();
		awaitReturn(kernel);
		assertThat(host().pid()).isNotEqualTo(first);
		awaitMore(500);
		this.done.set(true);
		callers.join(LIMIT);
		assertThat(this.runtime.hosts()).singleElement().satisfies((status) -> {
			assertThat(status.crashes()).isEqualTo(1);
			assertThat(status.restarts()).isEqualTo(1);
			assertThat(status.outage()).isPositive();
			assertThat(status.lastExit()).contains("exit status 137");
			assertThat(status.devices()).containsExactly(0);
			assertThat(status.isLost()).isFalse();
		});
		awaitEvents(KernelHostLost.class, KernelHostRestarted.class);
		assertThat(this.events.get(0)).isInstanceOfSatisfying(KernelHostLost.class, (lost) -> {
			assertThat(lost.pid()).isEqualTo(first);
			assertThat(lost.reason()).contains("exit status 137");
			assertThat(lost.atWork()).as("it was killed from outside").isEmpty();
		});
		assertThat(this.events.get(1)).isInstanceOfSatisfying(KernelHostRestarted.class,
				(restarted) -> assertThat(restarted.pid()).isEqualTo(host().pid()));
		assertThat(kernel.status().lost()).isZero();
	}

	@Test
	void eachDeviceHasAHostOfItsOwn() {
		Kernel<Number, Number> first = activate(PlanRequest.AUTO);
		Kernel<Number, Number> second = this.runtime
			.define(DeviceHostMain.kernel("second", OPTIONS.toBuilder().device(1).build()));
		second.launch();
		second.activate();
		assertThat(this.runtime.hosts()).extracting(HostStatus::devices).containsExactly(List.of(0), List.of(1));
		long ofSecond = this.provider.hosts().get(1).pid();
		assertThat(ofSecond).isNotEqualTo(host().pid());
		host().destroyForcibly();
		Awaitility.await().atMost(LIMIT).until(() -> this.provider.hosts().get(0).crashes() == 1);
		assertThat(second.client().call(new Number(4))).isEqualTo(new Number(8));
		assertThat(second.plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(this.provider.hosts().get(1).pid()).isEqualTo(ofSecond);
		assertThat(this.provider.hosts().get(1).crashes()).isZero();
		awaitReturn(first);
	}

	@Test
	void aHostThatNoOtherOneHasReplacedIsLost() {
		this.runtime = RingKernelRuntime.open(CUDA, List.of(this.provider, new CpuBackendProvider()));
		host().destroyForcibly();
		Awaitility.await().atMost(LIMIT).until(() -> this.provider.hosts().get(0).isLost());
		assertThat(this.provider.hosts().get(0).pid()).isZero();
		assertThat(this.provider.hosts().get(0).lastExit()).isNotNull();
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

	@ParameterizedTest
	@ValueSource(longs = { DeviceHostMain.HALT, DeviceHostMain.CRASH })
	void aKernelThatEndsTheHostTwiceInARowIsKeptFromItAndTheOthersGoOn(long fault) {
		Kernel<Number, Number> kernel = activate(CUDA);
		Kernel<Number, Number> other = activate(this.runtime, "others", OPTIONS);
		assertThatExceptionOfType(RingKernelException.class).isThrownBy(() -> kernel.client().call(new Number(fault)));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.FAILED);
		assertThat(this.provider.hosts().get(0).crashes()).isEqualTo(2);
		assertThat(this.provider.hosts().get(0).quarantined()).containsExactly("numbers");
		assertThat(kernel.status().replayed()).isEqualTo(1);
		awaitEvents(KernelHostLost.class, KernelHostRestarted.class, KernelHostLost.class, KernelQuarantined.class);
		assertThat(((KernelHostLost) this.events.get(0)).atWork()).containsExactly("numbers");
		assertThat(((KernelQuarantined) this.events.get(3)).kernelId()).isEqualTo("numbers");
		assertThat(other.client().call(new Number(9))).isEqualTo(new Number(18));
		assertThat(other.plan().backend()).isEqualTo(BackendKind.CUDA);
		kernel.relaunch();
		assertThat(kernel.client().call(new Number(4))).isEqualTo(new Number(8));
	}

	@ParameterizedTest
	@CsvSource({ DeviceHostMain.HALT + ", exit status 134", DeviceHostMain.EXHAUST + ", exit status 3" })
	void aHandlerThatEndsTheHostEndsNoApplication(long fault, String exit) {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		assertThat(kernel.client().call(new Number(fault))).isEqualTo(new Number(2 * fault));
		awaitCpu(kernel);
		assertThat(this.changes.get(0).reason()).contains(exit);
	}

	@Test
	void aHostThatGivesNoSignOfLifeIsEnded() throws Exception {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		ProcessHandle stopped = host();
		assertThat(new ProcessBuilder("kill", "-STOP", String.valueOf(stopped.pid())).start().waitFor()).isZero();
		assertThat(kernel.client().call(new Number(5))).isEqualTo(new Number(10));
		awaitCpu(kernel);
		assertThat(stopped.isAlive()).isFalse();
		assertThat(this.provider.hosts().get(0).lastExit()).contains("no sign of life");
	}

	@Test
	void aKernelThatMustBeOnTheDeviceGoesOnInANewHost() throws Exception {
		Kernel<Number, Number> kernel = activate(CUDA);
		Concurrently.Running callers = Concurrently.start(4, (caller) -> call(kernel, caller));
		for (int i = 0; i < CrashBudget.CRASHES - 1; i++) {
			long last = host().pid();
			host().destroyForcibly();
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> this.provider.hosts().get(0).pid(), (pid) -> pid != 0 && pid != last);
			awaitMore(500);
		}
		this.done.set(true);
		callers.join(LIMIT);
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
	}

	@Test
	void aHostThatEndsTooOftenIsGivenUp() {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		for (int i = 0; i < CrashBudget.CRASHES; i++) {
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
			this.changes.clear();
			host().destroyForcibly();
			awaitCpu(kernel);
			if (i < CrashBudget.CRASHES - 1) {
				awaitReturn(kernel);
			}
		}
		kernel.relaunch();
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(this.runtime.platformFailure()).isInstanceOf(HostFailureException.class)
			.hasMessageContaining("3 times within 5m");
		assertThat(kernel.client().call(new Number(7))).isEqualTo(new Number(14));
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

	/** Whatever is added to no time at all is what is added. */
	@Test
	void aLoadMayWaitForOtherKernelsAsLongAsTheyMayTakeToStop() {
		HostOptions options = new HostOptions(this.directory, Duration.ofSeconds(30), Duration.ofSeconds(2));
		KernelHostProvider hasty = new KernelHostProvider(new DeviceHostMain.Device(), options,
				() -> new KernelHost(new HostLauncher(DeviceHostMain.class.getName(), options, Duration.ZERO)::launch,
						new CrashBudget()));
		this.runtime = RingKernelRuntime.open(CUDA, List.of(hasty, new CpuBackendProvider()));
		Kernel<Number, Number> kernel = this.runtime
			.define(DeviceHostMain.kernel("numbers", OPTIONS.toBuilder().stopTimeout(LIMIT).build()));
		kernel.launch();
		assertThat(hasty.hosts().get(0).crashes()).isZero();
	}

	@Test
	void aClosedRuntimeLeavesNeitherProcessNorFile() {
		activate(PlanRequest.AUTO);
		assertThat(this.directory).as("rings are no files once they are mapped").isEmptyDirectory();
		ProcessHandle process = host();
		this.runtime.close();
		assertThat(process.isAlive()).isFalse();
		assertThat(this.provider.hosts().get(0).crashes()).isZero();
		assertThat(this.directory).isEmptyDirectory();
	}

	private Kernel<Number, Number> activate(PlanRequest request) {
		return activate(request, OPTIONS);
	}

	private Kernel<Number, Number> activate(PlanRequest request, KernelOptions options) {
		this.runtime = RingKernelRuntime.open(request, List.of(this.provider, new CpuBackendProvider()));
		this.runtime.addListener(new Listener());
		return activate(this.runtime, "numbers", options);
	}

	private static Kernel<Number, Number> activate(RingKernelRuntime runtime, String id, KernelOptions options) {
		return activate(runtime,
				DeviceHostMain.kernel(id, options.toBuilder().stopTimeout(Duration.ofSeconds(1)).build()));
	}

	private static Kernel<Number, Number> activate(RingKernelRuntime runtime, KernelSpec<Number, Number> spec) {
		Kernel<Number, Number> kernel = runtime.define(spec);
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(new Number(1))).isEqualTo(new Number(2));
		return kernel;
	}

	private void call(Kernel<Number, Number> kernel, int caller) {
		for (long i = 0; !this.done.get(); i++) {
			Number request = new Number(caller * 1_000_000_000L + i);
			assertThat(kernel.client().call(request)).isEqualTo(DeviceHostMain.twice(request));
			this.answered.incrementAndGet();
		}
	}

	private void awaitMore(long answers) {
		long before = this.answered.get();
		Awaitility.await().atMost(LIMIT).until(() -> this.answered.get() >= before + answers);
	}

	/**
	 * A hand-over begins with the first thread that waits for a response. It may be
	 * answered before the plan is told.
	 */
	private void awaitCpu(Kernel<Number, Number> kernel) {
		awaitChange(kernel, BackendKind.CPU);
	}

	/** The kernel has left the device, and is back. */
	private void awaitReturn(Kernel<Number, Number> kernel) {
		awaitChange(kernel, BackendKind.CPU);
		awaitChange(kernel, BackendKind.CUDA);
		assertThat(kernel.client().call(new Number(4))).isEqualTo(new Number(8));
	}

	private void awaitChange(Kernel<Number, Number> kernel, BackendKind backend) {
		assertThat(kernel.client().call(new Number(3))).isEqualTo(new Number(6));
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> this.changes.stream().anyMatch((change) -> change.to().backend() == backend));
	}

	/** Further events may follow. */
	@SafeVarargs
	private void awaitEvents(Class<? extends HostEvent>... types) {
		Awaitility.await().atMost(LIMIT).until(() -> this.events.size() >= types.length);
		assertThat(this.events.stream().limit(types.length)).<Object>extracting(Object::getClass)
			.containsExactly((Object[]) types);
	}

	private final class Listener implements KernelListener {

		@Override
		public void onEvent(KernelEvent event) {
			if (event instanceof KernelPlanChange change) {
				KernelHostTests.this.changes.add(change);
			}
		}

		@Override
		public void onHostEvent(HostEvent event) {
			KernelHostTests.this.events.add(event);
		}

	}

	private ProcessHandle host() {
		return ProcessHandle.of(this.provider.hosts().get(0).pid()).orElseThrow();
	}

}
