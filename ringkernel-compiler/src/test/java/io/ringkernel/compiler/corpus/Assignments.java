package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Variables without an initial value: each way to their use assigns one.
 */
final class Assignments {

	private Assignments() {
	}

	static List<Sample<?, ?>> samples() {
		List<Numbers> numbers = new ArrayList<>();
		numbers.add(new Numbers(-1, -3, 6, -1, new int[0]));
		Random random = new Random(1);
		for (int i = 0; i < 60; i++) {
			numbers.add(new Numbers(small(random), small(random), small(random), small(random),
					random.ints(random.nextInt(40), -3, 4).toArray()));
		}
		return List.of(new Sample<>(new ChoicesInChoices(), Numbers.class, Answer.class, numbers),
				new Sample<>(new ChoicesOfElements(), Numbers.class, Answer.class, numbers),
				new Sample<>(new ChoicesOfIndices(), Numbers.class, Answer.class, numbers),
				new Sample<>(new FoundInAFewSteps(), Numbers.class, Answer.class, numbers),
				new Sample<>(new LastOfAFewSteps(), Numbers.class, Answer.class, numbers),
				new Sample<>(new LeftFromAFewSteps(), Numbers.class, Answer.class, numbers));
	}

	private static int small(Random random) {
		return random.nextInt(13) - 6;
	}

	record Numbers(int a, int b, int c, int d, @Capacity(64) int[] values) {
	}

	record Answer(int number) {
	}

	static final class ChoicesInChoices implements RingKernelHandler<Numbers, Answer> {

		@Override
		public Answer handle(Numbers request) {
			int a = request.a();
			int b = request.b();
			int c = request.c();
			int one;
			int other;
			if (a > 0) {
				if (b > 0) {
					one = 1;
				}
				else {
					one = 2;
				}
				other = one + c;
			}
			else {
				if (b > 3) {
					one = 3;
				}
				else {
					one = 4;
				}
				other = one - c;
			}
			return new Answer(one * 100 + other);
		}

	}

	/** A choice in a loop that several indices share. */
	static final class ChoicesOfElements implements RingKernelHandler<Numbers, Answer> {

		@Override
		public Answer handle(Numbers request) {
			int[] values = request.values();
			int a = request.a();
			int sum = 0;
			for (int i = 0; i < values.length; i++) {
				int value = values[i];
				int chosen;
				if (value > a) {
					if (i > 3) {
						chosen = value;
					}
					else {
						chosen = -value;
					}
					sum += chosen;
				}
				else {
					if (i > 5) {
						chosen = 3;
					}
					else {
						chosen = 4;
					}
					sum -= chosen;
				}
				sum += chosen * 10;
			}
			return new Answer(sum);
		}

	}

	static final class ChoicesOfIndices implements RingKernelHandler<Numbers, Answer> {

		@Override
		public Answer handle(Numbers request) {
			int[] values = request.values();
			int a = request.a();
			return new Answer(Parallel.sumInt(values.length, (i) -> {
				int value = values[i];
				int one;
				int other;
				if (value > a) {
					if (i > 3) {
						one = value;
					}
					else {
						one = -value;
					}
					other = one * 2;
				}
				else {
					if (i > 5) {
						one = 3;
					}
					else {
						one = 4;
					}
					other = -one;
				}
				return one * 10 + other;
			}));
		}

	}

	/** Code behind a loop reads what its last iteration has chosen. */
	static final class FoundInAFewSteps implements RingKernelHandler<Numbers, Answer> {

		@Override
		public Answer handle(Numbers request) {
			int a = request.a();
			int d = request.d();
			int found;
			search: {
				for (int i = 0; i < 4; i++) {
					if (a > i) {
						found = request.b() + i;
					}
					else {
						found = request.c() - i;
					}
					if (found <= d && i <= a) {
						continue;
					}
					break search;
				}
				return new Answer(-1);
			}
			return new Answer(found);
		}

	}

	static final class LastOfAFewSteps implements RingKernelHandler<Numbers, Answer> {

		@Override
		public Answer handle(Numbers request) {
			int b = request.b();
			int last;
			int i = 0;
			do {
				if (i > b) {
					last = i * 3;
				}
				else {
					last = i - b;
				}
				i++;
			}
			while (i < request.d());
			return new Answer(last);
		}

	}

	/** Each iteration may leave, and goes on at the same place. */
	static final class LeftFromAFewSteps implements RingKernelHandler<Numbers, Answer> {

		@Override
		public Answer handle(Numbers request) {
			int power = 1;
			valid: {
				for (int i = 0; i < 3; i++) {
					if (power < request.a()) {
						power = power * 2;
					}
					else {
						break valid;
					}
				}
				return new Answer(-power);
			}
			return new Answer(power);
		}

	}

}
