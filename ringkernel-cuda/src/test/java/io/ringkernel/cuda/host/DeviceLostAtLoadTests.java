package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The device is lost while a kernel is loaded. It costs one host: that kernel stays on
 * the CPU, and the others return to the device.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeviceLostAtLoadTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(2)
		.requestTimeout(LIMIT)
		.replay(Replay.IDEMPOTENT)
		.build();

	private final KernelHostProvider provider;

	DeviceLostAtLoadTests(@TempDir Path directory) {
		this.provider = new KernelHostProvider(new DeviceHostMain.Device(), LosingHostMain.class,
				new HostOptions(directory, LIMIT, LIMIT));
	}

	@Test
	void theKernelStaysOnTheCpuAndTheOthersReturn() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(this.provider, new CpuBackendProvider()))) {
			Kernel<Number, Number> other = activate(runtime, "other");
			assertThat(other.plan().backend()).isEqualTo(BackendKind.CUDA);
			Kernel<Number, Number> fatal = activate(runtime, LosingHostMain.FATAL);
			assertThat(fatal.plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(fatal.client().call(new Number(2))).isEqualTo(new Number(4));
			Awaitility.await().atMost(LIMIT).until(() -> this.provider.hostStatus().crashes() == 1);
			Awaitility.await().atMost(LIMIT).until(() -> {
				assertThat(other.client().call(new Number(3))).isEqualTo(new Number(6));
				return other.plan().backend() == BackendKind.CUDA && this.provider.hostStatus().restarts() == 1;
			});
			assertThat(fatal.plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(this.provider.hostStatus().lastExit()).contains("its load has ended the device");
			assertThat(this.provider.hostStatus().crashes()).isEqualTo(1);
		}
	}

	private static Kernel<Number, Number> activate(RingKernelRuntime runtime, String id) {
		Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel(id, OPTIONS));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
