package io.ringkernel.cuda.image;

import java.lang.reflect.Proxy;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Compile;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.UnusableImageException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A kernel without an image has its handler for one.
 */
class CompiledHandlersTests {

	private static final KernelOptions OFF = KernelOptions.builder().compile(Compile.OFF).build();

	@Test
	void aHandlerBecomesAnImageWithTheWorkerOfTheLibrary() {
		KernelSpec<Numbers, Numbers> kernel = kernel(new Doubled(), KernelOptions.DEFAULTS);
		KernelImage image = KernelImage.of(kernel);
		assertThat(image.entry()).isEqualTo("ringkernel_worker");
		assertThat(image.location()).endsWith("CompiledHandlersTests$Doubled.handle");
		assertThatNoException().isThrownBy(() -> new ImageCheck(kernel, image).check());
	}

	@Test
	void itsFailuresAreKnownByTheirCodes() {
		KernelImage image = KernelImage.of(kernel(new Doubled(), KernelOptions.DEFAULTS));
		assertThat(image.failures()).anySatisfy((failure) -> {
			assertThat(failure.exception()).isEqualTo("java.lang.IllegalArgumentException");
			assertThat(failure.message()).isEqualTo("nothing to double");
			assertThat(failure.methodName()).isEqualTo("handle");
		});
	}

	@Test
	void aHandlerIsCompiledOnce() {
		KernelSpec<Numbers, Numbers> kernel = kernel(new Doubled(), KernelOptions.DEFAULTS);
		assertThat(KernelImage.of(kernel)).isSameAs(KernelImage.of(kernel));
	}

	@Test
	void aHandlerThatADeviceCannotRunIsRefusedWithLineAndRemedy() {
		assertThatExceptionOfType(UnusableImageException.class)
			.isThrownBy(() -> KernelImage.of(kernel(new Printing(), KernelOptions.DEFAULTS)))
			.withMessageContaining("CompiledHandlersTests$Printing.handle, line ")
			.withMessageContaining("Call methods of your own");
	}

	@Test
	void allThatADeviceCannotRunIsInOneRefusal() {
		assertThatExceptionOfType(UnusableImageException.class)
			.isThrownBy(() -> KernelImage.of(kernel(new Telling(), KernelOptions.DEFAULTS)))
			.withMessageContaining("java.lang.Thread.yield is called (the first of 2 places)")
			.withMessageContaining("java.lang.System.gc is called. Call methods of your own");
	}

	@Test
	void aLineThatIsNotKnownIsLeftOut() {
		assertThatExceptionOfType(UnusableImageException.class)
			.isThrownBy(() -> KernelImage.of(kernel(proxy(), KernelOptions.DEFAULTS)))
			.withMessageNotContaining("line 0");
	}

	@Test
	void aLambdaBecomesAnImage() {
		KernelSpec<Numbers, Numbers> kernel = kernel((request) -> new Numbers(request.values()),
				KernelOptions.DEFAULTS);
		assertThat(KernelImage.of(kernel).entry()).isEqualTo("ringkernel_worker");
	}

	@Test
	void aProxyHasNoClassFile() {
		assertThatExceptionOfType(UnusableImageException.class)
			.isThrownBy(() -> KernelImage.of(kernel(proxy(), KernelOptions.DEFAULTS)))
			.withMessageContaining("as of a proxy. Write the handler as a class.");
	}

	@Test
	void aKernelThatIsNotCompiledHasNoImage() {
		assertThatExceptionOfType(UnusableImageException.class)
			.isThrownBy(() -> KernelImage.of(kernel(new Doubled(), OFF)))
			.withMessageContaining("it has no CUDA image");
	}

	@SuppressWarnings("unchecked")
	private static RingKernelHandler<Numbers, Numbers> proxy() {
		RingKernelHandler<Numbers, Numbers> handler = new Doubled();
		return (RingKernelHandler<Numbers, Numbers>) Proxy.newProxyInstance(
				CompiledHandlersTests.class.getClassLoader(), new Class<?>[] { RingKernelHandler.class },
				(self, method, arguments) -> method.invoke(handler, arguments));
	}

	private static KernelSpec<Numbers, Numbers> kernel(RingKernelHandler<Numbers, Numbers> handler,
			KernelOptions options) {
		return KernelSpec.of("numbers", Numbers.class, Numbers.class, handler, options);
	}

	record Numbers(@Capacity(16) int[] values) {
	}

	static final class Doubled implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] doubled = new int[request.values().length];
			if (doubled.length == 0) {
				throw new IllegalArgumentException("nothing to double");
			}
			Parallel.range(doubled.length, (i) -> doubled[i] = 2 * request.values()[i]);
			return new Numbers(doubled);
		}

	}

	static final class Telling implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Thread.yield();
			System.gc();
			return request;
		}

	}

	static final class Printing implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Thread.yield();
			return request;
		}

	}

}
