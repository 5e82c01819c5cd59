package io.ringkernel.cuda.image;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Arrays;

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
	void eachOfTwoHandlersThatAreEqualHasTheCodeOfItsOwnFields() {
		KernelImage twice = KernelImage.of(kernel(new Scaled("a", 2), KernelOptions.DEFAULTS));
		KernelImage thrice = KernelImage.of(kernel(new Scaled("a", 3), KernelOptions.DEFAULTS));
		assertThat(thrice.module()).isNotEqualTo(twice.module());
	}

	@Test
	void eachOfTwoHandlersThatAreEqualHasTheStateOfItsOwnArrays() {
		Summed first = new Summed();
		Summed second = new Summed();
		KernelImage ofFirst = KernelImage.of(kernel(first, KernelOptions.DEFAULTS));
		KernelImage ofSecond = KernelImage.of(kernel(second, KernelOptions.DEFAULTS));
		assertThat(ofSecond.places().of(second.totals)).isPresent();
		first.totals[0] = 1;
		assertThat(KernelImage.of(kernel(first, KernelOptions.DEFAULTS))).isSameAs(ofFirst);
		assertThat(ofFirst.places().of(first.totals)).isPresent();
	}

	@Test
	void oneHandlerHasAnImageForEachOfItsMessages() {
		Same<?> same = new Same<>();
		for (Class<? extends Record> type : List.of(Numbers.class, Text.class)) {
			KernelSpec<?, ?> kernel = serving(type, same);
			assertThatNoException().isThrownBy(() -> new ImageCheck(kernel, KernelImage.of(kernel)).check());
		}
	}

	@SuppressWarnings("unchecked")
	private static <T extends Record> KernelSpec<T, T> serving(Class<T> type, Same<?> same) {
		return KernelSpec.of("same", type, type, (Same<T>) same, KernelOptions.DEFAULTS);
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

	record Text(@Capacity(8) String value) {
	}

	static final class Same<T extends Record> implements RingKernelHandler<T, T> {

		@Override
		public T handle(T request) {
			return request;
		}

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

	static final class Scaled implements RingKernelHandler<Numbers, Numbers> {

		private final String name;

		private final int factor;

		Scaled(String name, int factor) {
			this.name = name;
			this.factor = factor;
		}

		@Override
		public Numbers handle(Numbers request) {
			int[] scaled = new int[request.values().length];
			Parallel.range(scaled.length, (i) -> scaled[i] = this.factor * request.values()[i]);
			return new Numbers(scaled);
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Scaled scaled && scaled.name.equals(this.name);
		}

		@Override
		public int hashCode() {
			return this.name.hashCode();
		}

	}

	static final class Summed implements RingKernelHandler<Numbers, Numbers> {

		private final int[] totals = new int[16];

		@Override
		public Numbers handle(Numbers request) {
			Parallel.range(request.values().length, (i) -> this.totals[i] += request.values()[i]);
			return new Numbers(request.values());
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Summed summed && Arrays.equals(summed.totals, this.totals);
		}

		@Override
		public int hashCode() {
			return Arrays.hashCode(this.totals);
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
