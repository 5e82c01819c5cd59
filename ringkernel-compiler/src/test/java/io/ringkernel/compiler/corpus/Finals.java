package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * {@code finally} blocks. What they do to the state shows in the answers that follow.
 */
final class Finals {

	private Finals() {
	}

	static List<Sample<?, ?>> samples() {
		List<Numbers> numbers = new ArrayList<>();
		for (int i = 0; i < 12; i++) {
			numbers.add(new Numbers(i % 5, i - 2, Inputs.ints(40, i)));
		}
		return List.of(new Sample<>(new Counted(), Numbers.class, Sum.class, numbers),
				new Sample<>(new InLanes(), Numbers.class, Sum.class, numbers),
				new Sample<>(new AroundLanes(), Numbers.class, Sum.class, numbers),
				new Sample<>(new Swallowed(), Numbers.class, Sum.class, numbers),
				new Sample<>(new Locked(), Numbers.class, Sum.class, numbers),
				new Sample<>(new ChosenTexts(), Numbers.class, Sum.class, numbers));
	}

	record Numbers(int divisor, int at, @Capacity(64) int[] values) {
	}

	record Sum(long sum) {
	}

	/** A message and a text that the code chooses, inside of what the block guards. */
	static final class ChosenTexts implements RingKernelHandler<Numbers, Sum> {

		private long ended;

		@Override
		public Sum handle(Numbers request) {
			String way = (request.at() > 2) ? "long" : "far too long";
			try {
				if (request.divisor() == 3) {
					throw new IllegalStateException((request.at() > 5) ? "late" : "early");
				}
				this.ended += 100 / request.divisor();
			}
			finally {
				this.ended = this.ended * 31 + way.length();
			}
			return new Sum(this.ended);
		}

	}

	/** One in another one, with a way out of both, and what a method throws. */
	static final class Counted implements RingKernelHandler<Numbers, Sum> {

		private int begun;

		private int ended = 1;

		@Override
		public Sum handle(Numbers request) {
			int step = 1;
			try {
				this.begun++;
				step = 10;
				try {
					step += request.values()[request.at() * 4];
					if (request.at() == 5) {
						return new Sum(this.ended);
					}
					step += divided(request);
				}
				finally {
					this.ended = this.ended * 31 + step;
				}
			}
			finally {
				this.ended += step ^ this.begun;
			}
			return new Sum(step + 1000L * this.ended);
		}

		private static int divided(Numbers request) {
			if (request.at() == 7) {
				throw new IllegalStateException("seven");
			}
			return 100 / request.divisor();
		}

	}

	/**
	 * Threads fail at different indices, some of them in a method that goes on. What
	 * indices behind the lowest one have stored is not compared.
	 */
	static final class InLanes implements RingKernelHandler<Numbers, Sum> {

		@Override
		public Sum handle(Numbers request) {
			int[] values = request.values();
			int[] ended = new int[64];
			Parallel.range(values.length, (i) -> {
				int x = i;
				try {
					x += found(values, i + request.at());
					x += 7 / (i % 4 + request.divisor());
				}
				finally {
					ended[i] = ended[i] * 2 + x;
				}
				ended[i] += 1000;
			});
			return new Sum(Parallel.sumInt(64, (i) -> ended[i] * i));
		}

		@SuppressWarnings("Finally")
		private static int found(int[] values, int at) {
			int found = -7;
			try {
				found = at;
				found = values[at];
			}
			finally {
				return found;
			}
		}

	}

	/** The failure of the lowest index is thrown on. */
	static final class AroundLanes implements RingKernelHandler<Numbers, Sum> {

		private int failed;

		@Override
		public Sum handle(Numbers request) {
			int[] values = request.values();
			int[] out = new int[64];
			int step = 0;
			try {
				Parallel.range(values.length, (i) -> out[i + request.at()] = values[i] / (i % 7 + request.divisor()));
				step = 1;
				step += Parallel.sumInt(out.length, (i) -> out[i] / (request.divisor() - 2));
			}
			finally {
				int last = step;
				Parallel.range(3, (i) -> out[i] = i + last);
				this.failed += out[2] * 3 + 1;
			}
			return new Sum(this.failed + step);
		}

	}

	/** A block that returns, and one that goes on with a loop. */
	static final class Swallowed implements RingKernelHandler<Numbers, Sum> {

		@Override
		@SuppressWarnings("Finally")
		public Sum handle(Numbers request) {
			int sum = 0;
			for (int i = 0; i < 6; i++) {
				try {
					sum += 60 / (i - request.divisor());
				}
				finally {
					sum = sum * 3 + i;
					continue;
				}
			}
			return new Sum(sum + found(request));
		}

		@SuppressWarnings("Finally")
		private static int found(Numbers request) {
			int found = -1;
			try {
				found = request.values()[request.at()];
				found += 5 / request.divisor();
			}
			finally {
				return found;
			}
		}

	}

	/** A lock is released before the block. */
	static final class Locked implements RingKernelHandler<Numbers, Sum> {

		private final int[] lock = new int[1];

		private int ended;

		@Override
		public Sum handle(Numbers request) {
			try {
				return Parallel.exclusive(this.lock, () -> {
					try {
						return new Sum(this.ended + 10 / request.divisor());
					}
					finally {
						this.ended += 3;
					}
				});
			}
			finally {
				this.ended += Parallel.exclusive(this.lock, () -> this.ended * 2 + request.at());
			}
		}

	}

}
