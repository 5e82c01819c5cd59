package io.ringkernel.cuda.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The directory of the rings has room for one ring, and for no other. Only a user who may
 * mount a file system can see that.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class FullDirectoryTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final KernelOptions SMALL = KernelOptions.builder()
		.workers(2)
		.ringMemory(64 << 10)
		.requestTimeout(LIMIT)
		.build();

	private static final KernelOptions LARGE = SMALL.toBuilder().workers(1024).build();

	private final Path directory;

	private KernelHostProvider provider;

	FullDirectoryTests(@TempDir Path directory) {
		this.directory = directory;
	}

	@BeforeEach
	void mount() throws Exception {
		assumeThat(run("mount", "-t", "tmpfs", "-o", "size=96k", "none", this.directory.toString())).isZero();
		this.provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(this.directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER));
	}

	@AfterEach
	void unmount() throws Exception {
		run("umount", "--lazy", this.directory.toString());
	}

	private static int run(String... command) throws Exception {
		try {
			return new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor();
		}
		catch (IOException ex) {
			// There is no such command here.
			return -1;
		}
	}

	@Test
	void aRingThatHasNoRoomIsRefusedAndTheOthersGoOn() throws Exception {
		try (RingKernelRuntime runtime = open(new PlanRequest(BackendKind.CUDA, null, null))) {
			Kernel<Number, Number> small = activate(runtime, "small", SMALL);
			assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(() -> activate(runtime, "large", LARGE))
				.withMessageContaining("no directory has room for its ring")
				.withMessageContaining(this.directory + " has ")
				.withMessageContaining("set ringkernel.host.directory");
			assertThat(small.client().call(new Number(2))).isEqualTo(new Number(4));
			try (Stream<Path> files = Files.list(this.directory)) {
				assertThat(files).isEmpty();
			}
		}
	}

	@Test
	void aKernelThatMayBeOnTheCpuIsThereAndSaysWhy() {
		try (RingKernelRuntime runtime = open(PlanRequest.AUTO)) {
			Kernel<Number, Number> large = activate(runtime, "large", LARGE);
			assertThat(large.plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(large.plan().reasons())
				.anyMatch((reason) -> reason.contains("no directory has room for its ring"));
			assertThat(large.client().call(new Number(2))).isEqualTo(new Number(4));
		}
	}

	private RingKernelRuntime open(PlanRequest request) {
		return RingKernelRuntime.open(request, List.of(this.provider, new CpuBackendProvider()));
	}

	private static Kernel<Number, Number> activate(RingKernelRuntime runtime, String id, KernelOptions options) {
		Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel(id, options));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
