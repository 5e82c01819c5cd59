package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Methods of a lambda that are not its body.
 */
final class LambdaMethods {

	private LambdaMethods() {
	}

	static List<Sample<?, ?>> samples() {
		List<Number> numbers = Arrays.stream(Inputs.INTS)
			.mapToObj((number) -> new Number(number, number * 0.3f, Inputs.ints(40, number)))
			.toList();
		return List.of(new Sample<>(new DefaultMethods(), Number.class, Number.class, numbers),
				new Sample<>(new Compositions(), Number.class, Number.class, numbers),
				new Sample<>(new Generics(), Number.class, Number.class, numbers));
	}

	record Number(int whole, float real, @Capacity(64) int[] values) {
	}

	interface F {

		float ap(float value);

		default float twice(float value) {
			return ap(ap(value));
		}

		default F then(F next) {
			return (value) -> next.ap(ap(value));
		}

		private float hidden(float value) {
			return ap(value) * 3;
		}

		default float visible(float value) {
			return hidden(value) + base();
		}

		static float base() {
			return 0.5f;
		}

	}

	interface G extends F {

		float body(float value);

		@Override
		default float ap(float value) {
			return body(value) - 100;
		}

	}

	static final class DefaultMethods implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			float by = request.real();
			F f = (value) -> value + 1 + by;
			G g = (value) -> value * 2;
			return new Number(0, f.twice(5) + 3 * f.then(g).ap(by) + 5 * g.twice(7) + 7 * g.ap(1) + 11 * g.body(by)
					+ f.visible(2) + f.then(f).then(f).twice(by), new int[0]);
		}

	}

	static final class Compositions implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			IntUnaryOperator next = (value) -> value + 1;
			IntUnaryOperator twice = (value) -> value * 2;
			IntPredicate odd = (value) -> (value & 1) != 0;
			IntPredicate great = odd.and((value) -> value > 30).or((value) -> value == 2).negate();
			int[] out = new int[request.values().length];
			IntUnaryOperator all = next.andThen(twice).compose(next).andThen(next);
			Parallel.range(out.length,
					(i) -> out[i] = great.test(request.values()[i]) ? all.applyAsInt(request.values()[i]) : -1);
			return new Number(
					next.andThen(twice).applyAsInt(request.whole())
							+ 100 * next.compose(twice).applyAsInt(request.whole())
							+ (great.test(request.whole()) ? 1000 : 0) + IntUnaryOperator.identity().applyAsInt(5),
					0, out);
		}

	}

	static final class Generics implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			Function<Integer, Float> half = (value) -> value * 0.5f;
			Function<Float, Float> more = (value) -> value + 1;
			Predicate<Integer> odd = (value) -> (value & 1) != 0;
			UnaryOperator<Integer> same = UnaryOperator.identity();
			BinaryOperator<Integer> sum = Integer::sum;
			return new Number(
					sum.andThen((value) -> value * 3).apply(request.whole(), same.apply(4))
							+ (odd.negate().test(request.whole()) ? 1 : 0) + (Predicate.not(odd).test(3) ? 10 : 20),
					half.andThen(more).apply(request.whole()) + more.compose(half).apply(3), new int[0]);
		}

	}

}
