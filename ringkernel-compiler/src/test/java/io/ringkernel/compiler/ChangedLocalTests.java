package io.ringkernel.compiler;

import java.util.function.IntUnaryOperator;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A local variable that a loop gives another value which is known only while the handler
 * is compiled. Code that was compiled with the first value would keep it.
 */
class ChangedLocalTests {

	@Test
	void textsThatArePutTogether() {
		refused(new ChangedText(), "text");
	}

	@Test
	void textsThatMayBeNull() {
		refused(new Null(), "text");
	}

	@Test
	void lambdas() {
		refused(new ChangedLambda(), "function");
	}

	@Test
	void exceptions() {
		refused(new ChangedException(), "failure");
	}

	@Test
	void lambdasThatBranchesChoose() {
		assertThatExceptionOfType(HandlerRefusedException.class).isThrownBy(() -> compile(new Chosen()))
			.withMessageContaining("the local variable chosen has values of different kinds");
	}

	private static void refused(RingKernelHandler<Number, Number> handler, String variable) {
		assertThatExceptionOfType(HandlerRefusedException.class).isThrownBy(() -> compile(handler))
			.satisfies((ex) -> assertThat(ex.line()).isPositive())
			.withMessageContaining(handler.getClass().getName())
			.withMessageContaining(
					"the local variable %s is given another text, function, exception or object in a loop", variable);
	}

	private static void compile(RingKernelHandler<Number, Number> handler) {
		HandlerCompiler.compile(handler, MessageLayout.of(Number.class), MessageLayout.of(Number.class));
	}

	record Number(int value) {
	}

	static final class ChangedText implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			String text = "abc";
			for (int i = 0; i < request.value(); i++) {
				text = text + i;
			}
			throw new IllegalStateException(text);
		}

	}

	static final class Null implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			String text = null;
			for (int i = 0; i < request.value(); i++) {
				text = "de";
			}
			return new Number(text.length());
		}

	}

	static final class ChangedLambda implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			IntUnaryOperator function = (value) -> value - 1;
			for (int i = 0; i < request.value(); i++) {
				function = (value) -> value * 2;
			}
			return new Number(function.applyAsInt(50));
		}

	}

	static final class ChangedException implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			RuntimeException failure = new IllegalArgumentException("first");
			for (int i = 0; i < request.value(); i++) {
				failure = new IllegalStateException("second");
			}
			throw failure;
		}

	}

	static final class Chosen implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			IntUnaryOperator chosen;
			if (request.value() > 0) {
				chosen = (value) -> value + 1;
			}
			else {
				chosen = (value) -> value - 1;
			}
			return new Number(chosen.applyAsInt(3));
		}

	}

}
