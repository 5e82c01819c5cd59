package io.ringkernel.cuda.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.message.MessageLayout;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * What is wrong with an image is found in the file. The images are those that nvcc has
 * made of the test kernels.
 */
class ImageCheckTests {

	@TempDir
	private Path directory;

	@Test
	void theImageOfTheRecordsIsAccepted() {
		assertThatNoException().isThrownBy(() -> check(blob("classpath:kernels/blob.ptx")));
	}

	@Test
	void anImageThatTheJarLacks() {
		refused(blob("classpath:kernels/none.ptx"))
			.withMessageContaining("its image 'classpath:kernels/none.ptx' is not on the class path")
			.withMessageContaining("that the build packages it");
	}

	@Test
	void aFileThatIsNotThere() {
		refused(blob(this.directory.resolve("none.ptx").toString())).withMessageContaining("cannot be read")
			.withMessageContaining("none.ptx");
	}

	@Test
	void aFileThatIsNoImage() throws IOException {
		refused(changed((ptx) -> "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"))
			.withMessageContaining("is neither PTX nor a cubin or fatbin")
			.withMessageContaining("begins with 'version https://git-lfs.github.com/spec/'");
	}

	/** Whether there is NVRTC depends on the machine. */
	@Test
	void aSourceThatCannotBeCompiled() throws IOException {
		Path source = Files.writeString(this.directory.resolve("blob.cu"), "#error not yet written\n");
		refused(blob(source.toString())).satisfies((ex) -> assertThat(ex).satisfiesAnyOf(
				(without) -> assertThat(without).hasMessageContaining("is source code in CUDA C++, and NVRTC")
					.hasMessageContaining("the goal 'compile' of ringkernel-maven-plugin"),
				(with) -> assertThat(with).hasMessageContaining("does not compile")
					.hasMessageContaining("not yet written")));
	}

	@Test
	void anEmptyFile() throws IOException {
		refused(changed((ptx) -> "")).withMessageContaining("begins with ''");
	}

	@Test
	void aBinaryTellsNothingAboutItself() throws IOException {
		Path cubin = Files.write(this.directory.resolve("blob.cubin"), new byte[] { 0x7f, 'E', 'L', 'F', 2, 1 });
		assertThatNoException().isThrownBy(() -> check(blob(cubin.toString())));
	}

	@Test
	void anImageOfAnotherKernel() throws IOException {
		refused(changed((ptx) -> ptx.replace(".entry blob(", ".entry blub("), "#blob"))
			.withMessageContaining("has no entry 'blob'; it has blub. Name the right one behind a '#'");
	}

	@Test
	void aKernelThatRingKernelDidNotDefine() throws IOException {
		refused(changed((ptx) -> ptx.replace("blob_info", "blob_other")))
			.withMessageContaining("'blob_info' in its image")
			.withMessageContaining("is no description of a ring kernel. Define the kernel with RING_KERNEL");
	}

	@Test
	void anImageOfAnotherVersionOfTheRing() throws IOException {
		String version = "78, 69, 76, %d, 0, 0, 0, 80".formatted(ControlBlock.ABI_VERSION);
		refused(changed((ptx) -> ptx.replace(version, "78, 69, 76, 99, 0, 0, 0, 80")))
			.withMessageContaining(
					"speaks version 99 of the ring, and this library version " + ControlBlock.ABI_VERSION)
			.withMessageContaining("Build it with this version's headers.");
	}

	@Test
	void anImageThatIsOlderThanItsRecordShowsBothLayouts() {
		refused(slow("classpath:kernels/blob.ptx"))
			.withMessageContaining("its image 'classpath:kernels/blob.ptx' has another request: a fixed block of 24 B")
			.withMessageContaining("In Java it is\n" + MessageLayout.of(Slow.class).describe())
			.withMessageContaining("and in the image\n" + MessageLayout.of(Blob.class).describe())
			.satisfies((ex) -> assertThat(ex.reason()).doesNotContain("\n"));
	}

	private static void check(KernelSpec<?, ?> kernel) {
		new ImageCheck(kernel, KernelImage.of(kernel)).check();
	}

	private static ThrowableAssertAlternative<UnusableImageException> refused(KernelSpec<?, ?> kernel) {
		return assertThatExceptionOfType(UnusableImageException.class).isThrownBy(() -> check(kernel));
	}

	private KernelSpec<Blob, BlobReply> changed(UnaryOperator<String> change) throws IOException {
		return changed(change, "");
	}

	private KernelSpec<Blob, BlobReply> changed(UnaryOperator<String> change, String entry) throws IOException {
		try (InputStream in = ImageCheckTests.class.getResourceAsStream("/kernels/blob.ptx")) {
			assertThat(in).isNotNull();
			String ptx = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
			String changed = change.apply(ptx);
			assertThat(changed).isNotEqualTo(ptx);
			return blob(Files.writeString(this.directory.resolve("blob.ptx"), changed) + entry);
		}
	}

	private static KernelSpec<Blob, BlobReply> blob(String image) {
		return new KernelSpec<>("blob", MessageLayout.of(Blob.class), MessageLayout.of(BlobReply.class),
				(request) -> new BlobReply(0, 0, 0, request.bytes()), image, KernelOptions.DEFAULTS);
	}

	private static KernelSpec<Slow, Slow> slow(String image) {
		MessageLayout<Slow> layout = MessageLayout.of(Slow.class);
		return new KernelSpec<>("blob", layout, layout, (request) -> request, image, KernelOptions.DEFAULTS);
	}

}
