package io.ringkernel.compiler;

import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A method is refused if the compiler cannot tell which one Java runs.
 */
class DispatchRefusalTests {

	@Test
	void methodsOfAnObjectThatMayBeReplaced() {
		refused(new OfAChangingField()).withMessageContaining(
				"DispatchRefusalTests$Plain.of is called of an object whose class is not known. Make the method or its class final, or call it of a record, an enum or a lambda.");
	}

	@Test
	void lambdasOfAnInterfaceThatReplacesTheMethod() {
		refused(new ReplacedBody()).withMessageContaining(
				"a function is used that is no lambda of an interface of java.util.function. Write a lambda or a reference to a method where it is used.");
	}

	@Test
	void functionsThatAreObjects() {
		refused(new FunctionInAField())
			.withMessageContaining("java.util.function.IntUnaryOperator.applyAsInt is called");
	}

	@Test
	void bodiesThatAreObjects() {
		refused(new BodyInAField())
			.withMessageContaining("a function is used that is no lambda of an interface of java.util.function");
	}

	@Test
	void methodsOfObjectOfALambda() {
		refused(new HashOfALambda()).withMessageContaining(".hashCode is called. Call methods of your own");
	}

	@Test
	void lambdasThatDifferFromConstantToConstant() {
		refused(new LambdasOfConstants()).withMessageContaining(
				"DispatchRefusalTests$Unit.function returns another kind of value for each constant of the enum. Return the same kind for all of them.");
	}

	private static ThrowableAssertAlternative<HandlerRefusedException> refused(
			RingKernelHandler<Numbers, Numbers> handler) {
		MessageLayout<Numbers> layout = MessageLayout.of(Numbers.class);
		return assertThatExceptionOfType(HandlerRefusedException.class)
			.isThrownBy(() -> HandlerCompiler.compile(handler, layout, layout))
			.satisfies((ex) -> assertThat(ex.line()).isPositive());
	}

	record Numbers(@Capacity(16) int[] values) {
	}

	static class Plain {

		int of(int value) {
			return value + 1;
		}

	}

	static final class Special extends Plain {

		@Override
		int of(int value) {
			return value + 2;
		}

	}

	static final class OfAChangingField implements RingKernelHandler<Numbers, Numbers> {

		private Plain plain = new Special();

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(new int[this.plain.of(1) & 7]);
		}

		void change() {
			this.plain = new Plain();
		}

	}

	interface Shifted extends IntConsumer {

		void shifted(int value);

		@Override
		default void accept(int value) {
			shifted((value + 1) & 3);
		}

	}

	static final class ReplacedBody implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] values = new int[4];
			Shifted body = (i) -> values[i] = i;
			Parallel.range(4, body);
			return new Numbers(values);
		}

	}

	static final class FunctionInAField implements RingKernelHandler<Numbers, Numbers> {

		private final IntUnaryOperator function = (value) -> value & 7;

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(new int[this.function.applyAsInt(5)]);
		}

	}

	static final class BodyInAField implements RingKernelHandler<Numbers, Numbers> {

		private final int[] values = new int[4];

		private final IntConsumer body = (i) -> this.values[i] = i;

		@Override
		public Numbers handle(Numbers request) {
			Parallel.range(4, this.body);
			return request;
		}

	}

	static final class HashOfALambda implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			IntUnaryOperator function = (value) -> value;
			return new Numbers(new int[function.hashCode() & 7]);
		}

	}

	enum Unit {

		METRE {
			@Override
			IntUnaryOperator function() {
				return (value) -> value;
			}
		},
		SECOND {
			@Override
			IntUnaryOperator function() {
				return (value) -> value + 1;
			}
		};

		abstract IntUnaryOperator function();

	}

	static final class LambdasOfConstants implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Unit unit = (request.values().length > 3) ? Unit.METRE : Unit.SECOND;
			return new Numbers(new int[unit.function().applyAsInt(1)]);
		}

	}

}
