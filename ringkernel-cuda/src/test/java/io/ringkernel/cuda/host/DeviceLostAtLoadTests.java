package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The host is lost while a kernel is loaded. That kernel is served by the CPU, tries once
 * more, and is kept from the host if that is lost again. The others return to the device.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class DeviceLostAtLoadTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/** A loaded machine takes more than two for a load that ends. */
	private static final Duration LONGEST_LOAD = Duration.ofSeconds(6);

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(2)
		.requestTimeout(LIMIT)
		.replay(Replay.IDEMPOTENT)
		.build();

	private final KernelHostProvider provider;

	DeviceLostAtLoadTests(@TempDir Path directory) {
		HostOptions options = new HostOptions(directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER);
		this.provider = new KernelHostProvider(new DeviceHostMain.Device(), options,
				() -> new KernelHost(new HostLauncher(LosingHostMain.class.getName(), options, LONGEST_LOAD)::launch,
						new CrashBudget()));
	}

	@ParameterizedTest
	@ValueSource(strings = { LosingHostMain.FATAL, LosingHostMain.CRASHING, LosingHostMain.HANGING })
	void theKernelIsServedByTheCpuAndTheOthersReturn(String id) {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(this.provider, new CpuBackendProvider()))) {
			Kernel<Number, Number> other = activate(runtime, "other");
			assertThat(other.plan().backend()).isEqualTo(BackendKind.CUDA);
			Kernel<Number, Number> fatal = activate(runtime, id);
			assertThat(fatal.client().call(new Number(2))).isEqualTo(new Number(4));
			awaitReturn(other, 2);
			assertThat(this.provider.hosts().get(0).quarantined()).containsExactly(id);
			assertThat(fatal.plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(fatal.client().call(new Number(2))).isEqualTo(new Number(4));
			assertThat(this.provider.hosts().get(0).crashes()).isEqualTo(2);
		}
	}

	/**
	 * Another attempt would have spent the crash budget, and left no host to the others.
	 */
	@Test
	void aKernelThatEndsTheHostAtWorkAndOnItsReturnIsKeptFromItAndTheOthersReturn() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(this.provider, new CpuBackendProvider()))) {
			Kernel<Number, Number> other = activate(runtime, "other");
			Kernel<Number, Number> fatal = activate(runtime, LosingHostMain.UNRETURNING);
			assertThatExceptionOfType(RingKernelException.class)
				.isThrownBy(() -> fatal.client().call(new Number(DeviceHostMain.HALT)));
			awaitReturn(other, 2);
			assertThat(fatal.state()).isEqualTo(KernelState.FAILED);
			assertThat(this.provider.hosts().get(0).quarantined()).containsExactly(LosingHostMain.UNRETURNING);
		}
	}

	private void awaitReturn(Kernel<Number, Number> kernel, int crashes) {
		Awaitility.await().atMost(LIMIT).until(() -> this.provider.hosts().get(0).crashes() == crashes);
		Awaitility.await().atMost(LIMIT).until(() -> {
			assertThat(kernel.client().call(new Number(3))).isEqualTo(new Number(6));
			return kernel.plan().backend() == BackendKind.CUDA && this.provider.hosts().get(0).restarts() == crashes;
		});
	}

	private static Kernel<Number, Number> activate(RingKernelRuntime runtime, String id) {
		Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel(id, OPTIONS));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
