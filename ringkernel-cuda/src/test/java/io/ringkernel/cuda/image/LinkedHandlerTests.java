package io.ringkernel.cuda.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A handler that was compiled alone becomes an image with the worker of the library.
 */
class LinkedHandlerTests {

	@Test
	void aHandlerHasTheEntryOfItsWorker() {
		KernelImage image = KernelImage.of(echo("echo"));
		assertThat(image.entry()).isEqualTo("ringkernel_worker");
		assertThat(image.described()).isEqualTo("ringkernel_handler");
		assertThat(image.ptx()).isNotNull();
		assertThat(image.ptx().entries()).containsExactly("ringkernel_worker");
	}

	@Test
	void aHandlerHasNoEntryOfTheNameThatIsStatedForItsKernel() {
		KernelSpec<Echo, Echo> echo = echo("echo");
		KernelImage image = KernelImage.of(new KernelSpec<>(echo.id(), echo.requests(), echo.responses(),
				echo.handler(), echo.image() + "#echo", echo.options()));
		assertThat(image.entry()).isEqualTo("ringkernel_worker");
	}

	@Test
	void theTextBeginsOnce() throws IOException {
		String text = new String(LinkedHandler.complete(resource("handlers/echo")), StandardCharsets.US_ASCII);
		assertThat(text).containsOnlyOnce(".version")
			.containsOnlyOnce(".target")
			.containsOnlyOnce(".address_size")
			.containsOnlyOnce(".entry");
	}

	@Test
	void theTextNeedsWhatEitherOfThemNeeds() {
		String handler = ".version %s\n.target sm_%d\n.visible .func ringkernel_handle()\n{\n}\n";
		assertThat(PtxHeader.of(LinkedHandler.complete(ascii(handler.formatted("8.7", 90)))))
			.hasValueSatisfying((header) -> assertThat(header.version() + " " + header.target()).isEqualTo("8.7 90"));
		assertThat(PtxHeader.of(LinkedHandler.complete(ascii(handler.formatted("7.0", 70)))))
			.hasValueSatisfying((header) -> assertThat(header.version() + " " + header.target()).isEqualTo("8.4 75"));
	}

	@Test
	void theTextIsForTheDevicesOfItsHandlerAlone() {
		String handler = ".version 8.4\n.target sm_90a\n.visible .func ringkernel_handle()\n{\n}\n";
		assertThat(new String(LinkedHandler.complete(ascii(handler)), StandardCharsets.US_ASCII))
			.contains("\n.target sm_90a\n");
	}

	@Test
	void anImageWithAnEntryIsLeftAsItIs() throws IOException {
		byte[] whole = resource("blob");
		assertThat(LinkedHandler.complete(whole)).isSameAs(whole);
	}

	@Test
	void whatTheHandlerTellsOfItsMessagesIsChecked() {
		assertThatNoException().isThrownBy(() -> new ImageCheck(echo("echo"), KernelImage.of(echo("echo"))).check());
		assertThatExceptionOfType(UnusableImageException.class)
			.isThrownBy(() -> new ImageCheck(echo("slow"), KernelImage.of(echo("slow"))).check())
			.withMessageContaining("kernels/handlers/slow.ptx' has another request: a fixed block of 24 B")
			.withMessageContaining("and in the image\n" + MessageLayout.of(Slow.class).describe());
	}

	@Test
	void aWorkerTakesWhatItsMessagesTakeBesideItsOwn() {
		KernelImage image = KernelImage.of(echo("echo"));
		KernelInfo handler = KernelInfo.read(image.constant("_info"));
		KernelInfo whole = image.complete(handler);
		assertThat(handler.sharedBytesPerWorker()).isZero();
		assertThat(whole.isErased()).isTrue();
		assertThat(whole.requestFingerprint()).isEqualTo(MessageLayout.of(Echo.class).fingerprint());
		assertThat(whole.maxThreadsPerWorker()).isEqualTo(512);
		assertThat(whole.stateBytesPerWorker()).isPositive();
		MessageShape shape = MessageShape.of(echo("echo"), whole);
		assertThat(whole.with(shape).sharedBytesPerWorker()).isEqualTo(whole.sharedBytesPerWorker() + 160);
	}

	private static KernelSpec<Echo, Echo> echo(String handler) {
		MessageLayout<Echo> layout = MessageLayout.of(Echo.class);
		return new KernelSpec<>("echo", layout, layout, (request) -> request,
				"classpath:kernels/handlers/%s.ptx".formatted(handler), KernelOptions.DEFAULTS);
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[] resource(String name) throws IOException {
		try (InputStream in = LinkedHandlerTests.class.getResourceAsStream("/kernels/%s.ptx".formatted(name))) {
			assertThat(in).isNotNull();
			return in.readAllBytes();
		}
	}

}
