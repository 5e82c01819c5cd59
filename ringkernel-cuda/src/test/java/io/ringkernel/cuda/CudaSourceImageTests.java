package io.ringkernel.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.VectorAddRequest;
import io.ringkernel.conformance.TestKernels.VectorAddResponse;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Images that are source code: NVRTC compiles them when their kernel is defined.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSourceImageTests {

	private static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	@TempDir
	private Path directory;

	@Test
	void aSourceOnTheClassPathRuns() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA)) {
			Kernel<VectorAddRequest, VectorAddResponse> kernel = runtime
				.define(vectorAdd("classpath:sources/vector_add.cu"));
			kernel.launch();
			kernel.activate();
			VectorAddRequest request = new VectorAddRequest(new float[] { 1, 2, 3 }, new float[] { 10, 20, 30 });
			assertThat(kernel.client().call(request, Duration.ofSeconds(10)).sum()).containsExactly(11, 22, 33);
			kernel.terminate();
		}
	}

	@Test
	void aSourceThatDoesNotCompileIsRefusedWithWhatTheCompilerSays() throws IOException {
		Path source = Files.writeString(this.directory.resolve("vector_add.cu"), "#error not yet written\n");
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA)) {
			assertThatExceptionOfType(UnusableImageException.class)
				.isThrownBy(() -> runtime.define(vectorAdd(source.toString())).launch())
				.withMessageContaining("its image '%s' does not compile".formatted(source))
				.withMessageContaining("vector_add.cu(1)")
				.withMessageContaining("not yet written")
				.withMessageContaining("Correct the source.");
		}
	}

	private static KernelSpec<VectorAddRequest, VectorAddResponse> vectorAdd(String image) {
		return CudaTestKernels.withImage(new CpuTestKernels().vectorAdd(KernelOptions.DEFAULTS), image);
	}

}
