package io.ringkernel.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What cannot be launched says why, and leaves the device as it was.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaLaunchTests {

	private final TestKernels kernels = new CudaTestKernels();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null));

	@TempDir
	private Path directory;

	@AfterEach
	void theDeviceStillWorks() {
		Kernel<Echo, Echo> kernel = this.runtime
			.define(CudaTestKernels.renamed("echo-after", this.kernels.echo(KernelOptions.DEFAULTS)));
		kernel.launch();
		kernel.activate();
		Echo request = Echo.of(3, 4);
		assertThat(kernel.client().call(request)).isEqualTo(request);
		this.runtime.close();
	}

	@Test
	void anImageThatIsNotThere() {
		launching(echo("classpath:kernels/none.ptx")).withMessageContaining("classpath:kernels/none.ptx");
		launching(CudaTestKernels.renamed("other", echo(this.directory.resolve("none.ptx").toString())))
			.withMessageContaining("none.ptx");
	}

	@Test
	void anEntryThatIsNotThere() {
		launching(echo(CudaTestKernels.WHOLE_IMAGE + "#blub")).withMessageContaining("blub")
			.withMessageContaining("blob");
	}

	@Test
	void anImageOfOtherMessages() {
		launching(echo("classpath:kernels/handlers/slow.ptx")).withMessageContaining("has another request")
			.withMessageContaining("In Java it is\nEcho: fixed block of 64 bytes")
			.withMessageContaining("and in the image\n" + MessageLayout.of(TestKernels.Slow.class).describe());
	}

	@Test
	void anImageThatIsNoPtx() throws IOException {
		Path file = Files.writeString(this.directory.resolve("text.ptx"), "no kernel at all");
		launching(echo(file.toString())).withMessageContaining("it begins with 'no kernel at all'");
	}

	@Test
	void anImageThatDoesNotAssemble() throws IOException {
		String text = wholeImage().replaceFirst("ret;", "rett;");
		Path file = Files.writeString(this.directory.resolve("broken.ptx"), text);
		launching(blob(file)).withMessageContaining("compiler says").withMessageContaining("rett");
	}

	@Test
	void anImageThatDoesNotAssembleBesideAKernelThatRuns() throws IOException {
		Kernel<Echo, Echo> running = this.runtime
			.define(CudaTestKernels.renamed("echo-running", this.kernels.echo(KernelOptions.DEFAULTS)));
		running.launch();
		running.activate();
		anImageThatDoesNotAssemble();
		assertThat(running.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
	}

	@Test
	void anImageForALaterDevice() throws IOException {
		String text = wholeImage().replace("sm_75", "sm_999");
		Path file = Files.writeString(this.directory.resolve("later.ptx"), text);
		launching(blob(file)).withMessageContaining("compute capability 99.9");
	}

	@Test
	void anImageForALaterDriver() throws IOException {
		String text = wholeImage().replaceFirst("\\.version \\d+\\.\\d+", ".version 19.9");
		Path file = Files.writeString(this.directory.resolve("later.ptx"), text);
		launching(blob(file)).withMessageContaining("PTX 19.9");
	}

	@Test
	void moreWorkersThanFit() {
		KernelOptions options = KernelOptions.builder().workers(1024).threadsPerWorker(1024).build();
		launching(this.kernels.blob(options)).withMessageContaining("1024 workers make 1024 blocks");
	}

	private ThrowableAssertAlternative<KernelLaunchException> launching(KernelSpec<?, ?> spec) {
		Kernel<?, ?> kernel = this.runtime.define(spec);
		ThrowableAssertAlternative<KernelLaunchException> thrown = assertThatExceptionOfType(
				KernelLaunchException.class)
			.isThrownBy(kernel::launch);
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		return thrown;
	}

	private KernelSpec<Echo, Echo> echo(String image) {
		return CudaTestKernels.withImage(this.kernels.echo(KernelOptions.DEFAULTS), image);
	}

	private KernelSpec<Blob, BlobReply> blob(Path image) {
		return CudaTestKernels.withImage(this.kernels.blob(KernelOptions.DEFAULTS), image.toString());
	}

	private static String wholeImage() throws IOException {
		try (InputStream image = CudaLaunchTests.class.getResourceAsStream("/kernels/blob.ptx")) {
			return new String(image.readAllBytes(), StandardCharsets.US_ASCII);
		}
	}

}
