package io.ringkernel.spring;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Kernels that cannot be defined, for tests.
 */
public final class InvalidKernels {

	private InvalidKernels() {
	}

	/**
	 * Beside {@link Kernels.Twice}, a second kernel with its id.
	 */
	@Configuration(proxyBeanMethods = false)
	public static class AnotherTwice {

		@Bean
		@RingKernel(id = "twice")
		RingKernelHandler<Number, Text> another() {
			return (request) -> new Text("");
		}

	}

	@RingKernel(id = "none")
	public static class NoHandler {

	}

	@Configuration(proxyBeanMethods = false)
	public static class Wildcard {

		@Bean
		@RingKernel(id = "wildcard")
		RingKernelHandler<Number, ?> wildcard() {
			return (request) -> request;
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class Unbounded {

		@Bean
		@RingKernel(id = "unbounded")
		RingKernelHandler<Number, Message> unbounded() {
			return (request) -> new Message("");
		}

		public record Message(String text) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class InvalidId {

		@Bean
		@RingKernel(id = "Vector_Add")
		RingKernelHandler<Number, Number> handler() {
			return (request) -> request;
		}

	}

}
