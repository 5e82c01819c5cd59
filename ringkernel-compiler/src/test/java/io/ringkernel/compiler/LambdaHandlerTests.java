package io.ringkernel.compiler;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A handler may be a lambda if the class whose code makes it tells which one it is.
 */
class LambdaHandlerTests {

	@Test
	void aPlaceThatIsRefusedIsInTheMethodAroundTheLambda() {
		refused(One.yielding(), Number.class).withMessageContaining("LambdaHandlerTests$One.yielding, line ")
			.withMessageContaining("java.lang.Thread.yield is called");
	}

	@Test
	void lambdasThatOnlyTheirCapturesTellApart() {
		assertThat(compile(One.of(3), Number.class).ptx()).isNotEqualTo(compile(One.of(3L), Number.class).ptx());
	}

	@Test
	void twoThatNothingTellsApart() {
		refused(Two.first(), Number.class).withMessage(
				"%s.handle: 2 lambdas of this class handle the same records. " + "Write the handler as a class.",
				Two.class.getName());
	}

	@Test
	void objectsThatAreCaptured() {
		refused(One.remembering(new ArrayList<>()), Number.class)
			.withMessageContaining("the handler is a lambda that captures an object of java.util.List");
	}

	@Test
	void referencesToConstructors() {
		refused(Reference.constructor(), Answer.class)
			.withMessageContaining("which is a constructor or can be overridden");
	}

	@Test
	void methodsOfObjectOfAPartThatIsALambda() {
		refused(new HashOfAPart(), Number.class).withMessageContaining(".hashCode is called. Call methods of your own");
		refused(new EqualToAPart(), Number.class).withMessageContaining(".equals is called. Call methods of your own");
	}

	@Test
	void proxies() {
		RingKernelHandler<Number, Number> handler = One.of(3);
		@SuppressWarnings("unchecked")
		RingKernelHandler<Number, Number> proxy = (RingKernelHandler<Number, Number>) Proxy.newProxyInstance(
				LambdaHandlerTests.class.getClassLoader(), new Class<?>[] { RingKernelHandler.class },
				(self, method, arguments) -> method.invoke(handler, arguments));
		refused(proxy, Number.class)
			.withMessageContaining(".handle: there is no class file with this method, as of a proxy.");
	}

	private static <O extends Record> ThrowableAssertAlternative<HandlerRefusedException> refused(
			RingKernelHandler<Number, O> handler, Class<O> response) {
		return assertThatExceptionOfType(HandlerRefusedException.class).isThrownBy(() -> compile(handler, response));
	}

	private static <O extends Record> CompiledHandler compile(RingKernelHandler<Number, O> handler, Class<O> response) {
		return HandlerCompiler.compile(handler, MessageLayout.of(Number.class), MessageLayout.of(response));
	}

	record Number(int value) {
	}

	record Answer(@Capacity(4) int[] values) {

		Answer(Number number) {
			this(new int[number.value()]);
		}

	}

	static final class One {

		private One() {
		}

		static RingKernelHandler<Number, Number> yielding() {
			return (request) -> {
				Thread.yield();
				return request;
			};
		}

		static RingKernelHandler<Number, Number> of(int number) {
			return (request) -> new Number(request.value() + number);
		}

		static RingKernelHandler<Number, Number> of(long number) {
			return (request) -> new Number((int) (request.value() * number));
		}

		static RingKernelHandler<Number, Number> remembering(List<Integer> numbers) {
			return (request) -> {
				numbers.add(request.value());
				return request;
			};
		}

	}

	static final class HashOfAPart implements RingKernelHandler<Number, Number> {

		private final RingKernelHandler<Number, Number> part = One.of(3);

		@Override
		public Number handle(Number request) {
			return new Number(this.part.hashCode());
		}

	}

	static final class EqualToAPart implements RingKernelHandler<Number, Number> {

		private final RingKernelHandler<Number, Number> part = One.of(3);

		@Override
		public Number handle(Number request) {
			Object other = request;
			return new Number(this.part.equals(other) ? 1 : 0);
		}

	}

	static final class Two {

		private Two() {
		}

		static RingKernelHandler<Number, Number> first() {
			return (request) -> new Number(request.value() + 1);
		}

		static RingKernelHandler<Number, Number> second() {
			return (request) -> new Number(request.value() - 1);
		}

	}

	static final class Reference {

		private Reference() {
		}

		static RingKernelHandler<Number, Answer> constructor() {
			return Answer::new;
		}

	}

}
