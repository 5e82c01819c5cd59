package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Arrays that methods of the JDK copy and fill.
 */
final class Copies {

	private Copies() {
	}

	static List<Sample<?, ?>> samples() {
		List<Part> parts = new ArrayList<>();
		for (int n : Inputs.LENGTHS) {
			for (int from : new int[] { 0, 1, 3, n / 2, n, n + 1, -1, Integer.MIN_VALUE }) {
				parts.add(new Part(from, n - 3, Inputs.ints(n, n), Inputs.floats(n, n)));
			}
		}
		parts.add(new Part(-1, Integer.MAX_VALUE, Inputs.ints(5, 5), new float[2]));
		parts.add(new Part(2, 3, Inputs.ints(300, 5), new float[] { -0f, Float.NaN }));
		return List.of(new Sample<>(new Cloned(), Part.class, Copied.class, parts),
				new Sample<>(new Moved(), Part.class, Copied.class, parts),
				new Sample<>(new MovedByIndex(), Part.class, Copied.class, parts),
				new Sample<>(new Filled(), Part.class, Copied.class, parts),
				new Sample<>(new FilledInPart(), Part.class, Copied.class, parts),
				new Sample<>(new Ranges(), Part.class, Copied.class,
						parts.stream().filter((part) -> part.from() > -100).toList()),
				new Sample<>(new Kept(), Part.class, Copied.class, parts.subList(0, 20)));
	}

	record Part(int from, int to, @Capacity(1024) int[] values, @Capacity(1024) float[] reals) {
	}

	record Copied(long number, @Capacity(1024) int[] values, @Capacity(1024) float[] reals) {
	}

	/** Into the response, from it, and into an array that is gone with the request. */
	static final class Cloned implements RingKernelHandler<Part, Copied> {

		@Override
		public Copied handle(Part request) {
			int[] values = request.values().clone();
			int[] scratch = values.clone();
			float[] reals = Arrays.copyOf(request.reals(), Math.min(request.from(), 700));
			if (values.length > 3) {
				values[2] = 77;
				scratch[3] = values[2] + request.values()[2];
				values[1] = scratch[3];
			}
			return new Copied(Parallel.sumInt(scratch.length, (i) -> scratch[i]), values, reals);
		}

	}

	/** Parts of arrays that are others, or the same. */
	static final class Moved implements RingKernelHandler<Part, Copied> {

		@Override
		public Copied handle(Part request) {
			int[] values = new int[request.values().length];
			float[] reals = request.reals().clone();
			int count = values.length / 2;
			System.arraycopy(request.values(), request.from(), values, 1, count - 1);
			System.arraycopy(values, 0, values, values.length / 3, count);
			System.arraycopy(reals, 3, reals, 0, count - 3);
			System.arraycopy(reals, request.from(), reals, request.from(), 0);
			long[] longs = { 1, 2, 3, 4, 5, 6, 7 };
			System.arraycopy(longs, 0, longs, 1, 6);
			System.arraycopy(longs, 4, longs, 3, 3);
			long[] chosen = (request.to() > 20) ? longs : new long[7];
			System.arraycopy(longs, 0, chosen, 2, 5);
			return new Copied(chosen[1] * 100000 + longs[3] * 1000 + chosen[4] * 10 + chosen[6], values, reals);
		}

	}

	/** Each index has its own. */
	static final class MovedByIndex implements RingKernelHandler<Part, Copied> {

		@Override
		public Copied handle(Part request) {
			int[] values = new int[request.values().length];
			Parallel.range(values.length, (i) -> {
				int[] own = new int[8];
				Arrays.fill(own, i);
				own[i & 7] = request.values()[i];
				System.arraycopy(own, 0, own, 2, 5);
				System.arraycopy(own, 3, own, 1, 4);
				int[] other = Arrays.copyOfRange(own, i & 3, 9);
				byte[] bytes = new byte[4];
				Arrays.fill(bytes, 1, (i & 3) + 1, (byte) i);
				System.arraycopy(own, 0, other, i % 5, other.length - 3);
				values[i] = other[0] * 31 + other[other.length - 1] + other[3] * 7 + bytes[2] + own.clone()[1];
			});
			return new Copied(0, values, new float[1]);
		}

	}

	static final class Filled implements RingKernelHandler<Part, Copied> {

		@Override
		public Copied handle(Part request) {
			int[] values = new int[request.values().length];
			Arrays.fill(values, request.from());
			float[] reals = new float[request.reals().length];
			Arrays.fill(reals, -0f);
			boolean[] marks = new boolean[20];
			Arrays.fill(marks, request.to() > 9);
			char[] letters = new char[20];
			Arrays.fill(letters, (char) request.to());
			short[] shorts = new short[20];
			Arrays.fill(shorts, (short) request.from());
			double[] doubles = new double[20];
			Arrays.fill(doubles, 0.1);
			return new Copied((marks[3] ? 7 : 5) + letters[19] * 3L + shorts[7] + (long) (doubles[5] * 100), values,
					reals);
		}

	}

	static final class FilledInPart implements RingKernelHandler<Part, Copied> {

		@Override
		public Copied handle(Part request) {
			int[] values = request.values().clone();
			Arrays.fill(values, request.from(), request.to(), -5);
			byte[] bytes = new byte[64];
			Arrays.fill(bytes, 3, 40, (byte) request.to());
			return new Copied(Parallel.sumInt(64, (i) -> bytes[i] * i), values, new float[0]);
		}

	}

	static final class Ranges implements RingKernelHandler<Part, Copied> {

		@Override
		public Copied handle(Part request) {
			int[] part = Arrays.copyOfRange(request.values(), request.from(), Math.min(request.to(), 900));
			float[] reals = Arrays.copyOfRange(request.reals(), 1, request.reals().length);
			return new Copied(part.length, part, reals);
		}

	}

	/** An array of the state. */
	static final class Kept implements RingKernelHandler<Part, Copied> {

		private final int[] kept = new int[256];

		@Override
		public Copied handle(Part request) {
			int count = Math.min(request.values().length, 200);
			System.arraycopy(this.kept, 0, this.kept, 40, 200);
			System.arraycopy(request.values(), 0, this.kept, 3, count);
			Arrays.fill(this.kept, 7, 9, request.to());
			return new Copied(this.kept[210], this.kept.clone(), Arrays.copyOf(request.reals(), count / 2));
		}

	}

}
