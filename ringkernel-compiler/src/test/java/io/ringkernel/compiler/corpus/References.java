package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * References to methods whose types differ from those of the interface: numbers are
 * widened, boxed and unboxed, and results are dropped.
 */
final class References {

	private References() {
	}

	static List<Sample<?, ?>> samples() {
		List<Number> numbers = Arrays.stream(Inputs.INTS).mapToObj((number) -> new Number(number, new int[3])).toList();
		return List.of(new Sample<>(new WidenedInALoop(), Number.class, Wide.class, numbers),
				new Sample<>(new Widened(), Number.class, Wide.class, numbers),
				new Sample<>(new BoxedAndUnboxed(), Number.class, Wide.class, numbers),
				new Sample<>(new Dropped(), Number.class, Number.class, numbers));
	}

	record Number(int value, @Capacity(4) int[] values) {
	}

	record Wide(long whole, double real) {
	}

	private static float half(int value) {
		return value * 0.5f;
	}

	private static int twice(int value) {
		return 2 * value;
	}

	private static long times(long value) {
		return value * 3_000_000_000L;
	}

	private static <T> T same(T value) {
		return value;
	}

	static final class WidenedInALoop implements RingKernelHandler<Number, Wide> {

		@Override
		public Wide handle(Number request) {
			int count = request.value() & 63;
			return new Wide(Parallel.sumLong(count, References::twice),
					Parallel.sumDouble(count, References::half) + Parallel.maxDouble(3, References::times));
		}

	}

	static final class Widened implements RingKernelHandler<Number, Wide> {

		@Override
		public Wide handle(Number request) {
			IntToLongFunction result = References::twice;
			IntToLongFunction argument = References::times;
			return new Wide(result.applyAsLong(request.value()) * 3_000_000_000L,
					argument.applyAsLong(request.value()));
		}

	}

	static final class BoxedAndUnboxed implements RingKernelHandler<Number, Wide> {

		@Override
		public Wide handle(Number request) {
			Function<Integer, Integer> boxed = References::twice;
			Function<Integer, Long> wide = References::times;
			ToDoubleFunction<Integer> real = References::times;
			BinaryOperator<Integer> sum = Integer::sum;
			ToIntFunction<Integer> unboxed = Integer::intValue;
			IntFunction<Integer> made = Integer::valueOf;
			IntUnaryOperator same = References::same;
			ToIntFunction<Number> component = Number::value;
			int value = sum.apply(boxed.apply(request.value()), made.apply(3));
			return new Wide(wide.apply(unboxed.applyAsInt(value)) + same.applyAsInt(component.applyAsInt(request)),
					real.applyAsDouble(value));
		}

	}

	/** What a method returns is nothing to an interface that returns nothing. */
	static final class Dropped implements RingKernelHandler<Number, Number> {

		private int count;

		@Override
		public Number handle(Number request) {
			IntConsumer consumer = this::counted;
			if (request.value() > 0) {
				consumer.accept(request.value());
			}
			Parallel.range(3, References::twice);
			return new Number(this.count, request.values());
		}

		private int counted(int value) {
			this.count += value;
			return this.count;
		}

	}

}
