package io.ringkernel.cuda.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.Histogram.Value;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The state of a kernel in a host is saved and restored as if it were here.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteStateTests {

	private static final long LAST = Histogram.BUCKETS - 1;

	private final RingKernelRuntime runtime = open(
			new KernelHostProvider(new CpuBackendProvider(), Histogram.class, HostOptions.DEFAULTS));

	private final Kernel<Value, Value> kernel = start(this.runtime);

	private final Path file;

	RemoteStateTests(@TempDir Path directory) {
		this.file = directory.resolve("histogram.snapshot");
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void stateGoesBackToThatOfTheSnapshot() {
		send(this.kernel, 0, LAST, LAST);
		this.kernel.snapshot(this.file);
		send(this.kernel, 0, 7, LAST);
		this.kernel.restore(this.file);
		assertThat(send(this.kernel, 0, 7, LAST)).isEqualTo(3_006);
		assertThat(send(this.kernel, 0)).isEqualTo(3_007);
	}

	@Test
	void stateOutlivesTheHost() {
		send(this.kernel, 0, LAST);
		this.kernel.snapshot(this.file);
		this.runtime.hosts().forEach((host) -> ProcessHandle.of(host.pid()).orElseThrow().destroyForcibly());
		this.kernel.relaunch();
		assertThat(send(this.kernel, LAST)).isEqualTo(1_001);
		this.kernel.restore(this.file);
		assertThat(send(this.kernel, LAST)).isEqualTo(2_003);
	}

	@Test
	void aHostAndTheApplicationWriteTheSameBytes() throws IOException {
		Path local = this.file.resolveSibling("local.snapshot");
		send(this.kernel, 3, LAST);
		this.kernel.snapshot(this.file);
		try (RingKernelRuntime here = open(new CpuBackendProvider())) {
			Kernel<Value, Value> same = start(here);
			send(same, 3, LAST);
			same.snapshot(local);
		}
		assertThat(Files.mismatch(this.file, local)).isEqualTo(-1);
	}

	private static RingKernelRuntime open(BackendProvider provider) {
		return RingKernelRuntime.open(new PlanRequest(BackendKind.CPU, null, null), List.of(provider));
	}

	private static Kernel<Value, Value> start(RingKernelRuntime runtime) {
		Kernel<Value, Value> kernel = runtime.define(Histogram.kernel());
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	/** What the last value is answered with. */
	private static long send(Kernel<Value, Value> kernel, long... values) {
		long answer = 0;
		for (long value : values) {
			answer = kernel.client().call(new Value(value)).value();
		}
		return answer;
	}

}
