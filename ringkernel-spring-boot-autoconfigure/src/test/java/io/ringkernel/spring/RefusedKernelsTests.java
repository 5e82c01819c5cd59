package io.ringkernel.spring;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.InvalidKernels.AnotherTwice;
import io.ringkernel.spring.InvalidKernels.InvalidId;
import io.ringkernel.spring.InvalidKernels.NoHandler;
import io.ringkernel.spring.InvalidKernels.Unbounded;
import io.ringkernel.spring.InvalidKernels.Wildcard;
import io.ringkernel.spring.Kernels.Twice;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RingKernelRegistrar}: what is refused as the context starts.
 */
class RefusedKernelsTests {

	@Test
	void prototypeHandlerIsRefused() {
		assertThatExceptionOfType(InvalidHandlerBeanException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(PrototypeHandler.class))
			.withMessageContaining("'handler' (" + PrototypeHandler.class.getName() + ".handler())")
			.withMessageContaining("its scope is 'prototype', but a kernel has one handler for as long as it lives")
			.withMessageContaining("@Scope(proxyMode = ScopedProxyMode.TARGET_CLASS)");
	}

	@Test
	void placeholderThatNoPropertyResolvesIsRefused() {
		assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(Embedded.class,
					RingKernelRegistrarTests.ConfiguredImage.class))
			.havingCause()
			.withStackTraceContaining(
					"its image '${kernels.directory}/all.ptx#twice' has a placeholder that no property resolves. "
							+ "Set the property, or set ringkernel.kernels.configured.image.");
	}

	@Test
	void twoKernelsWithOneIdAreRefused() {
		assertThatExceptionOfType(DuplicateKernelIdException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(Twice.class, AnotherTwice.class))
			.withMessageContaining("'kernels.Twice' (io.ringkernel.spring.Kernels$Twice)")
			.withMessageContaining("'another' (io.ringkernel.spring.InvalidKernels$AnotherTwice.another())");
	}

	@Test
	void beanThatIsNoHandlerIsRefused() {
		assertThatExceptionOfType(InvalidHandlerBeanException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(NoHandler.class))
			.withMessageContaining("no RingKernelHandler");
	}

	@Test
	void handlerWithoutTypeArgumentsIsRefused() {
		assertThatExceptionOfType(InvalidHandlerBeanException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(Wildcard.class))
			.withMessageContaining("does not say which record is the response");
	}

	@Test
	void rawHandlerIsRefused() {
		assertThatExceptionOfType(InvalidHandlerBeanException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(Raw.class))
			.withMessageContaining("does not say which record is the request");
	}

	@Test
	void handlerWhoseRecordsCannotBeLaidOutIsRefused() {
		assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(Unbounded.class))
			.havingRootCause()
			.withMessageContaining("Message.text");
	}

	@Test
	void idThatIsNoIdIsRefused() {
		assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(InvalidId.class))
			.havingRootCause()
			.isInstanceOf(InvalidHandlerBeanException.class)
			.withMessageContaining("the id is no valid id");
	}

	@Test
	void idThatIsBlankIsRefused() {
		assertThatExceptionOfType(InvalidHandlerBeanException.class)
			.isThrownBy(() -> RingKernelRegistrarTests.refreshed(Blank.class))
			.withMessageContaining("cannot be the ring kernel '': the id is no valid id.");
	}

	@RingKernel(id = "")
	static class Blank extends RingKernelRegistrarTests.Thrice {

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeHandler {

		@Bean
		@RingKernel(id = "prototype")
		@Scope("prototype")
		RingKernelRegistrarTests.Thrice handler() {
			return new RingKernelRegistrarTests.Thrice();
		}

	}

	@RingKernel(id = "raw")
	@SuppressWarnings("rawtypes")
	static class Raw implements RingKernelHandler {

		@Override
		public Record handle(Record request) {
			return request;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Embedded {

		@Bean
		static PropertySourcesPlaceholderConfigurer placeholders() {
			return new PropertySourcesPlaceholderConfigurer();
		}

	}

}
