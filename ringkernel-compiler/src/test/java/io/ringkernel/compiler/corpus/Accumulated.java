package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Floating-point numbers in fields, by steps whose order does not show.
 */
final class Accumulated {

	private Accumulated() {
	}

	static List<Sample<?, ?>> samples() {
		return List.of(new Sample<>(new Totals(), Numbers.class, Summary.class, Arrays.stream(Inputs.LENGTHS)
			.mapToObj((n) -> new Numbers((n == 257) ? new float[] { -1, Float.NaN, -0f, 7 } : Inputs.floats(n, n + 3)))
			.toList()));
	}

	record Numbers(@Capacity(1024) float[] values) {
	}

	record Summary(long sum, float greatest) {
	}

	static final class Totals implements RingKernelHandler<Numbers, Summary> {

		private final long[] sums = new long[4];

		private final int[] greatest = { Integer.MIN_VALUE };

		@Override
		public Summary handle(Numbers request) {
			Parallel.range(request.values().length, (i) -> {
				float x = request.values()[i];
				Parallel.atomicAdd(this.sums, i & 3, Math.round(x * 0x1p20));
				int bits = Float.floatToIntBits(x);
				Parallel.atomicMax(this.greatest, 0, bits ^ (bits >> 31 & 0x7fffffff));
			});
			int ordered = this.greatest[0];
			return new Summary(Parallel.sumLong(4, (i) -> this.sums[i]),
					Float.intBitsToFloat(ordered ^ (ordered >> 31 & 0x7fffffff)));
		}

	}

}
