package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Arrays that are gone with the request.
 */
final class Scratch {

	private Scratch() {
	}

	static List<Sample<?, ?>> samples() {
		List<Numbers> numbers = new ArrayList<>();
		for (int n : Inputs.LENGTHS) {
			numbers.add(new Numbers(n % 7 - 3, Inputs.ints(n, n)));
		}
		return List.of(new Sample<>(new PrefixSums(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Sparse(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new WayOut(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Bounded(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Digits(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new EarlyReturn(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new FromElsewhere(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new ClonedInConstructor(), Numbers.class, Cloned.class, numbers),
				new Sample<>(new OtherConstructor(), Numbers.class, Copied.class, numbers),
				new Sample<>(new GivenOrMade(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Medians(), Image.class, Pixels.class, List.of(new Image(20, Inputs.floats(400, 9)))),
				new Sample<>(new Convolution(), Image.class, Pixels.class, List.of(new Image(20, Inputs.floats(400, 9)),
						new Image(1, new float[] { 4 }), new Image(64, Inputs.floats(4096, 13)))));
	}

	record Numbers(int number, @Capacity(1024) int[] values) {
	}

	record Image(int width, @Capacity(4096) float[] pixels) {
	}

	record Pixels(@Capacity(4096) float[] pixels) {
	}

	/** Has an array of its own. */
	record Cloned(@Capacity(1024) int[] values) {

		Cloned {
			values = values.clone();
		}

	}

	/** Has an array of its own, and may be made of one array. */
	record Copied(@Capacity(1024) int[] first, @Capacity(1024) int[] second) {

		Copied(int[] first, int[] second) {
			this.first = first.clone();
			this.second = second;
		}

		Copied(int[] values) {
			this(values, values);
		}

	}

	/** Two arrays by turns, each written by a range and read by the next one. */
	static final class PrefixSums implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int n = request.values().length;
			int[] sums = copyOf(request.values());
			int[] next = new int[n];
			for (int distance = 1; distance < n; distance *= 2) {
				int[] from = sums;
				int[] to = next;
				int reach = distance;
				Parallel.range(n, (i) -> to[i] = (i < reach) ? from[i] : from[i - reach] + from[i]);
				sums = to;
				next = from;
			}
			return new Numbers(request.number(), sums);
		}

		private static int[] copyOf(int[] values) {
			int[] copy = new int[values.length];
			Parallel.range(copy.length, (i) -> copy[i] = values[i]);
			return copy;
		}

	}

	/** Elements that are not set are zero, whatever a request before has left. */
	static final class Sparse implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] values = request.values();
			byte[] marks = marks(values, 0);
			byte[] others = marks(values, 1);
			double[] sums = { 0.5, 0, 0.25 };
			for (int i = 0; i < marks.length; i++) {
				sums[others[i]] += marks[i];
			}
			int[] found = new int[marks.length];
			Parallel.range(found.length, (i) -> found[i] = marks[i] * 10 + others[i]);
			return new Numbers((int) (4 * (sums[0] + sums[1] + sums[2])), found);
		}

		private static byte[] marks(int[] values, int remainder) {
			byte[] marks = new byte[values.length];
			for (int i = 0; i < values.length; i += 3) {
				if ((values[i] & 1) == remainder) {
					marks[i] = 1;
				}
			}
			return marks;
		}

	}

	/** An array that is made where a loop is left is made once. */
	static final class WayOut implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			for (int i = 0; i < request.values().length; i++) {
				if (request.values()[i] % 7 == 0) {
					int[] found = { i, request.values()[i] };
					return new Numbers(Parallel.sumInt(2, (j) -> found[j]), request.values());
				}
			}
			return request;
		}

	}

	/** Lengths that are computed, one of which may be negative. */
	static final class Bounded implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int n = request.values().length;
			long[] few = new long[Math.min(n, 10) + request.number() % 4];
			float[] many = new float[(n > 40) ? 2 * n + 1 : n / 3];
			char[] letters = new char[n & 31];
			int[] half = new int[n >>> 1];
			short[] part = new short[n / (1 + (n & 3))];
			Parallel.range(few.length, (i) -> few[i] = (long) i << 40);
			Parallel.range(many.length, (i) -> many[i] = i * 0.5f);
			Parallel.range(letters.length, (i) -> letters[i] = (char) -i);
			Parallel.range(half.length, (i) -> half[i] = 3 * i);
			Parallel.range(part.length, (i) -> part[i] = (short) (i ^ 5));
			int[] sums = { (int) Parallel.sumLong(few.length, (i) -> few[i] >> 38),
					(int) Parallel.sumFloat(many.length, (i) -> many[i]),
					Parallel.sumInt(letters.length, (i) -> letters[i]), Parallel.sumInt(half.length, (i) -> half[i]),
					Parallel.sumInt(part.length, (i) -> part[i]) };
			return new Numbers(many.length, sums);
		}

	}

	/** Each index has arrays of its own, also in a range in its body. */
	static final class Digits implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] values = request.values();
			int[] most = new int[values.length];
			Parallel.range(values.length, (i) -> {
				int[] counts = counts(values[i]);
				long[] own = new long[Math.min(values.length, 5)];
				Parallel.range(own.length, (j) -> {
					byte[] twice = new byte[2];
					twice[j & 1] += (byte) counts[j];
					own[j] = 10L * twice[0] + twice[1];
				});
				int best = 0;
				for (int digit = 1; digit < counts.length; digit++) {
					best = (counts[digit] > counts[best]) ? digit : best;
				}
				most[i] = best * 1000 + (int) own[own.length - 1];
			});
			int sum = Parallel.sumInt(values.length, (i) -> {
				int[] counts = counts(values[i]);
				return counts[0] - counts[9];
			});
			return new Numbers(sum, most);
		}

		private static int[] counts(int value) {
			int[] counts = new int[10];
			for (int rest = value; rest != 0; rest /= 10) {
				counts[Math.abs(rest % 10)]++;
			}
			return counts;
		}

	}

	/** The request is the response in some cases. */
	static final class EarlyReturn implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			if (request.number() < 0) {
				return request;
			}
			Parallel.range(out.length, (i) -> out[i] = request.values()[i] + 1);
			return new Numbers(1, out);
		}

	}

	/** Another method makes the response in some cases. */
	static final class FromElsewhere implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			if (request.number() < 0) {
				return none();
			}
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> out[i] = request.values()[i] + 1);
			Numbers made = new Numbers(request.number(), out);
			return (request.number() > 1) ? withNumber(made) : made;
		}

		private static Numbers none() {
			return new Numbers(7, new int[] { 3 });
		}

		private static Numbers withNumber(Numbers made) {
			return new Numbers(made.number() + 40, new int[] { made.values().length });
		}

	}

	/** What is stored behind the constructor is no part of the response. */
	static final class ClonedInConstructor implements RingKernelHandler<Numbers, Cloned> {

		@Override
		public Cloned handle(Numbers request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> out[i] = request.values()[i] + 1);
			Cloned made = new Cloned(out);
			Parallel.range(out.length, (i) -> out[i] = -1);
			return made;
		}

	}

	/** Constructors may do anything with what they are called with. */
	static final class OtherConstructor implements RingKernelHandler<Numbers, Copied> {

		@Override
		public Copied handle(Numbers request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> out[i] = request.values()[i] + 1);
			int[] other = { request.number(), out.length };
			if (request.number() < 0) {
				return new Copied(out);
			}
			Copied made = new Copied(out, other);
			Parallel.range(out.length, (i) -> out[i] = -1);
			other[0] += 10;
			return made;
		}

	}

	/** A method returns what it is called with, or an array that it makes. */
	static final class GivenOrMade implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(1, chosen(request.values(), request.number()));
		}

		private static int[] chosen(int[] values, int number) {
			return (number < 0) ? values : new int[] { number };
		}

	}

	/** Of a pixel and its neighbours, the one in the middle. */
	static final class Medians implements RingKernelHandler<Image, Pixels> {

		@Override
		public Pixels handle(Image image) {
			float[] pixels = image.pixels();
			float[] out = new float[pixels.length];
			Parallel.range(out.length, (i) -> {
				float[] window = new float[9];
				for (int at = 0; at < window.length; at++) {
					int from = i + (at / 3 - 1) * image.width() + at % 3 - 1;
					float pixel = pixels[Math.min(Math.max(from, 0), pixels.length - 1)];
					int place = at;
					while (place > 0 && window[place - 1] > pixel) {
						window[place] = window[place - 1];
						place--;
					}
					window[place] = pixel;
				}
				out[i] = window[4];
			});
			return new Pixels(out);
		}

	}

	/** Sharpens an image, whose border is repeated. */
	static final class Convolution implements RingKernelHandler<Image, Pixels> {

		@Override
		public Pixels handle(Image image) {
			float[] weights = { 0, -1, 0, -1, 5, -1, 0, -1, 0 };
			int width = image.width();
			int height = image.pixels().length / width;
			float[] out = new float[image.pixels().length];
			Parallel.range(out.length, (i) -> {
				float sum = 0;
				for (int at = 0; at < weights.length; at++) {
					int x = Math.min(Math.max(i % width + at % 3 - 1, 0), width - 1);
					int y = Math.min(Math.max(i / width + at / 3 - 1, 0), height - 1);
					sum += weights[at] * image.pixels()[y * width + x];
				}
				out[i] = sum;
			});
			return new Pixels(out);
		}

	}

}
