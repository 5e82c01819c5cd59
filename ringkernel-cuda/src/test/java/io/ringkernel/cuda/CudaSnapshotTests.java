package io.ringkernel.cuda;

import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Counted;
import io.ringkernel.conformance.TestKernels.Counter;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The state of an image is saved and restored, beside another kernel that runs on.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSnapshotTests {

	private static final KernelOptions OPTIONS = KernelOptions.builder().requestTimeout(Duration.ofSeconds(10)).build();

	static final PlanRequest PLAN = new PlanRequest(BackendKind.CUDA, null, null);

	private final RingKernelRuntime runtime = open();

	@TempDir
	private Path directory;

	private Path file;

	private Kernel<Echo, Echo> other;

	private Kernel<Counter, Counted> kernel;

	RingKernelRuntime open() {
		return RingKernelRuntime.open(PLAN);
	}

	@BeforeEach
	void start() {
		this.file = this.directory.resolve("counter.snapshot");
		this.other = this.runtime.define(new CudaTestKernels().echo(OPTIONS));
		this.kernel = this.runtime.define(new CudaTestKernels().counter(OPTIONS));
		this.other.launch();
		this.kernel.launch();
		this.other.activate();
		this.kernel.activate();
	}

	@AfterEach
	void close() {
		Echo request = Echo.of(1, 2);
		assertThat(this.other.client().call(request)).isEqualTo(request);
		this.runtime.close();
	}

	@Test
	void stateGoesBackToThatOfTheSnapshot() {
		count(5);
		this.kernel.snapshot(this.file);
		assertThat(count(3)).isEqualTo(7);
		this.kernel.restore(this.file);
		assertThat(count(1)).isEqualTo(5);
	}

	@Test
	void aRelaunchedKernelGoesOnWithItsState() {
		count(5);
		this.kernel.snapshot(this.file);
		this.kernel.relaunch();
		assertThat(count(1)).isZero();
		this.kernel.restore(this.file);
		assertThat(count(1)).isEqualTo(5);
	}

	@Test
	void theSnapshotOfAnotherKernelIsRefused() {
		count(5);
		this.other.snapshot(this.file);
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> this.kernel.restore(this.file))
			.withMessageContaining("its kernel is " + this.other.id());
		assertThat(count(1)).isEqualTo(5);
	}

	/** How many requests were handled before the last one of these. */
	private long count(int requests) {
		long order = -1;
		for (int i = 0; i < requests; i++) {
			order = this.kernel.client().call(new Counter(0, i)).order();
		}
		return order;
	}

}
