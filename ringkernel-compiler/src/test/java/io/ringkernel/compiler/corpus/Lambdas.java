package io.ringkernel.compiler.corpus;

import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Handlers that are lambdas or references to methods.
 */
final class Lambdas {

	private Lambdas() {
	}

	static List<Sample<?, ?>> samples() {
		List<Numbers> numbers = IntStream.of(0, 1, 3, 16)
			.mapToObj((n) -> new Numbers(n, IntStream.range(0, n).toArray(), "text " + n))
			.toList();
		return List.of(new Sample<>(doubled(), Numbers.class, Numbers.class, numbers),
				new Sample<>(scaled(3, 0.5, "größer", Side.RIGHT, new Range(2, 9, "range"), new long[] { 5, 6 }),
						Numbers.class, Scaled.class, numbers),
				new Sample<>(Lambdas::counted, Numbers.class, Counted.class, numbers),
				new Sample<>(Numbers::sum, Numbers.class, Sum.class, numbers));
	}

	enum Side {

		LEFT, RIGHT

	}

	record Range(int from, int to, String name) {
	}

	record Numbers(int number, @Capacity(16) int[] values, @Capacity(16) String text) {

		Sum sum() {
			return new Sum(Parallel.sumInt(this.values.length, (i) -> this.values[i]) / this.number);
		}

	}

	record Scaled(double scaled, @Capacity(16) String text, long state) {
	}

	record Counted(int count) {
	}

	record Sum(int sum) {
	}

	private static RingKernelHandler<Numbers, Numbers> doubled() {
		return (request) -> {
			int[] doubled = new int[request.values().length];
			Parallel.range(doubled.length, (i) -> doubled[i] = 2 * request.values()[i]);
			return new Numbers(request.number() + 1, doubled, request.text());
		};
	}

	/** An array that is captured is state, as that of a final field. */
	private static RingKernelHandler<Numbers, Scaled> scaled(int by, double real, String text, Side side, Range range,
			long[] state) {
		return (request) -> {
			if (request.number() == range.to()) {
				throw new IllegalStateException(text);
			}
			long before = state[1];
			state[0] = before + request.number();
			return new Scaled(request.number() * by + real, (request.number() > 1) ? text : range.name(),
					state[0] + range.from() + ((side == Side.RIGHT) ? 100 : 0));
		};
	}

	private static Counted counted(Numbers request) {
		int count = 0;
		for (int value : request.values()) {
			if (value > 2) {
				count++;
			}
		}
		return new Counted(count);
	}

}
