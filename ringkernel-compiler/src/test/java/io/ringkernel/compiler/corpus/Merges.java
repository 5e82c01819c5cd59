package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;

/**
 * Locals that a loop, or a branch, gives another value of which more or less is known.
 */
final class Merges {

	private Merges() {
	}

	static List<Sample<?, ?>> samples() {
		List<Numbers> numbers = Arrays.stream(Inputs.LENGTHS)
			.mapToObj((length) -> new Numbers(Inputs.ints(length, length + 5)))
			.toList();
		return List.of(new Sample<>(new FoundInALoop(), Numbers.class, Found.class, numbers),
				new Sample<>(new FoundInABranch(), Numbers.class, Found.class, numbers),
				new Sample<>(new ReusedPlaces(), Numbers.class, Found.class, numbers));
	}

	record Numbers(@Capacity(1000) int[] values) {
	}

	record Found(boolean any, int first, int last) {
	}

	static final class FoundInALoop implements RingKernelHandler<Numbers, Found> {

		@Override
		public Found handle(Numbers request) {
			Optional<Integer> first = Optional.empty();
			Optional<Integer> last = Optional.empty();
			for (int value : request.values()) {
				if ((value & 7) == 3) {
					if (first.isEmpty()) {
						first = Optional.of(value);
					}
					last = Optional.of(value);
				}
				else if ((value & 63) == 4) {
					last = Optional.empty();
				}
			}
			return new Found(first.isPresent(), first.orElse(-1), last.orElse(-2));
		}

	}

	static final class FoundInABranch implements RingKernelHandler<Numbers, Found> {

		@Override
		public Found handle(Numbers request) {
			Optional<int[]> values;
			if (request.values().length > 32) {
				values = Optional.of(request.values());
			}
			else {
				values = Optional.empty();
			}
			return new Found(values.isPresent(), values.isPresent() ? values.get()[0] : 3, 0);
		}

	}

	/** Variables of one place, none of which outlives an iteration. */
	static final class ReusedPlaces implements RingKernelHandler<Numbers, Found> {

		@Override
		public Found handle(Numbers request) {
			int sum = 0;
			{
				String before = "before";
				sum += before.length();
			}
			for (int value : request.values()) {
				if (value > 0) {
					String greater = "greater";
					sum += greater.length();
				}
				else {
					float other = value * 0.5f;
					sum += (int) other;
				}
			}
			return new Found(sum > 0, sum, 0);
		}

	}

}
