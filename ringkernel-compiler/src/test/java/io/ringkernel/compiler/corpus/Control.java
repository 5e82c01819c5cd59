package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Branches, loops and switches.
 */
final class Control {

	private Control() {
	}

	static List<Sample<?, ?>> samples() {
		List<Choice> choices = new ArrayList<>();
		for (Kind kind : Kind.values()) {
			for (int number : Inputs.INTS) {
				choices.add(new Choice(kind, number, Inputs.ints(40, number)));
			}
		}
		return List.of(new Sample<>(new Branches(), Choice.class, Chosen.class, choices),
				new Sample<>(new Kinds(), Choice.class, Chosen.class, choices),
				new Sample<>(new Constants(), Choice.class, Chosen.class, choices),
				new Sample<>(new Sorting(), Choice.class, Chosen.class, choices.subList(0, 5)),
				new Sample<>(new Phases(), Choice.class, Chosen.class, choices.subList(0, 3)));
	}

	enum Kind {

		LOW, MIDDLE, HIGH

	}

	record Choice(Kind kind, int number, @Capacity(64) int[] values) {
	}

	record Chosen(Kind kind, long number, @Capacity(64) int[] values) {
	}

	static final class Branches implements RingKernelHandler<Choice, Chosen> {

		@Override
		public Chosen handle(Choice request) {
			int number = request.number();
			long result = (request.kind() == Kind.HIGH && number > 0 || number == Integer.MIN_VALUE) ? number * 2L
					: -number;
			switch (number) {
				case 0, 1, 2 -> result += 100;
				case 31 -> result = result - 7;
				case Integer.MAX_VALUE -> {
					for (int value : request.values()) {
						result ^= value;
						if (value % 7 == 3) {
							break;
						}
					}
				}
				default -> result++;
			}
			int[] steps = new int[(int) (result & 15)];
			Parallel.range(steps.length, (i) -> {
				int n = 0;
				do {
					n += (i % 3 == 0) ? 2 : 1;
					if (n == 5) {
						continue;
					}
					n++;
				}
				while (n < i);
				steps[i] = n;
			});
			return new Chosen((result > 0) ? request.kind() : Kind.LOW, result, steps);
		}

	}

	/** Switches over an enum, as a statement and as an expression. */
	static final class Kinds implements RingKernelHandler<Choice, Chosen> {

		@Override
		public Chosen handle(Choice request) {
			int[] values = request.values();
			long number = switch (request.kind()) {
				case LOW -> -1;
				case HIGH -> Parallel.sumInt(values.length, (i) -> values[i]);
				default -> request.kind().ordinal();
			};
			switch (request.kind()) {
				case LOW, MIDDLE:
					number *= 3;
				default:
					number++;
			}
			return new Chosen((number > 1) ? request.kind() : Kind.MIDDLE, number, new int[request.kind().ordinal()]);
		}

	}

	/**
	 * Has a case for each constant: from Java 21 on, javac throws an exception with null
	 * as its message if there are others when the code runs.
	 */
	static final class Constants implements RingKernelHandler<Choice, Chosen> {

		@Override
		public Chosen handle(Choice request) {
			long number = switch (request.kind()) {
				case LOW -> -1;
				case MIDDLE -> request.number();
				case HIGH -> 3;
			};
			if (number > 30) {
				throw new IllegalStateException((String) null);
			}
			return new Chosen(request.kind(), number, request.values());
		}

	}

	/** An insertion sort: loads and stores of one thread for all, in loops. */
	static final class Sorting implements RingKernelHandler<Choice, Chosen> {

		@Override
		public Chosen handle(Choice request) {
			int[] sorted = new int[request.values().length];
			for (int i = 0; i < sorted.length; i++) {
				int value = request.values()[i];
				int at = i;
				while (at > 0 && sorted[at - 1] > value) {
					sorted[at] = sorted[at - 1];
					at--;
				}
				sorted[at] = value;
			}
			return new Chosen(request.kind(), sorted[0], sorted);
		}

	}

	/** Parallel parts that read what those before have written. */
	static final class Phases implements RingKernelHandler<Choice, Chosen> {

		@Override
		public Chosen handle(Choice request) {
			int[] values = new int[request.values().length];
			Parallel.range(values.length, (i) -> values[i] = request.values()[i] & 0xff);
			for (int distance = 1; distance < values.length; distance *= 2) {
				int reach = distance;
				Parallel.range(values.length / (2 * reach), (i) -> {
					int at = i * 2 * reach;
					values[at] += values[at + reach];
				});
			}
			return new Chosen(request.kind(), values[0], values);
		}

	}

}
