package io.ringkernel.spring;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Kernels for tests.
 */
public final class Kernels {

	private Kernels() {
	}

	public record Number(int value) {
	}

	public record Text(@Capacity(64) String value) {
	}

	/**
	 * A kernel by its class.
	 */
	@RingKernel(id = "twice")
	public static class Twice implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return new Number(request.value() * 2);
		}

	}

	/**
	 * A kernel by its class, and one by a method with a lambda.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(Twice.class)
	public static class TwiceAndRepeat {

		@Bean
		@RingKernel(id = "repeat-text", image = "classpath:repeat.ptx")
		RingKernelHandler<Number, Text> repeatText() {
			return (request) -> new Text("x".repeat(request.value()));
		}

	}

}
