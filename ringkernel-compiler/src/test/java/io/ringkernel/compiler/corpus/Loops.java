package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Loops that count in a range and outside: what several indices at once must not change.
 */
final class Loops {

	private Loops() {
	}

	static List<Sample<?, ?>> samples() {
		List<Window> windows = new ArrayList<>();
		for (int from : new int[] { 0, 3, -2 }) {
			for (int to : new int[] { 0, 3, 4, 9, 21, 39, -1, Integer.MIN_VALUE }) {
				windows.add(new Window(from, to, 2, Inputs.floats(40, 30)));
			}
		}
		for (int at : new int[] { -3, 0, 30, 40, Integer.MAX_VALUE - 2, Integer.MIN_VALUE + 1 }) {
			windows.add(new Window(0, 11, at, Inputs.floats(40, 31)));
		}
		return List.of(new Sample<>(new Sums(), Window.class, Sum.class, windows),
				new Sample<>(new Searches(), Window.class, Found.class, windows),
				new Sample<>(new Windows(), Window.class, Smooth.class, windows),
				new Sample<>(new Ranks(), Window.class, Found.class, windows),
				new Sample<>(new Variables(), Window.class, Sum.class, windows),
				new Sample<>(new Changes(), Window.class, Sum.class, windows),
				new Sample<>(new TwoWaysBack(), Pair.class, Sum.class, pairs()),
				new Sample<>(new Columns(), Grid.class, Smooth.class, grids()),
				new Sample<>(new Strides(), Grid.class, Sum.class, grids()));
	}

	/** Most of them end beyond the array, or begin before it. */
	private static List<Grid> grids() {
		int[] rows = { 19, 9, 2, 0, 5 };
		List<Grid> grids = new ArrayList<>();
		for (int from : new int[] { 0, 3, 39, -8, Integer.MAX_VALUE, Integer.MIN_VALUE }) {
			for (int distance : new int[] { 0, 1, 2, 3, 8, -1, 1 << 16, 1 << 30, Integer.MAX_VALUE,
					Integer.MIN_VALUE }) {
				grids.add(new Grid(from, rows[grids.size() % rows.length], distance, Inputs.floats(40, 32)));
				grids.add(new Grid(from, 19, distance, Inputs.floats(40, 33)));
			}
		}
		return grids;
	}

	/** Equal, different, alike in part, and too short. */
	private static List<Pair> pairs() {
		float[] values = Inputs.floats(10, 34);
		float[] alike = values.clone();
		alike[1] = 100;
		alike[6] = -100;
		return List.of(new Pair(values, values), new Pair(values, Inputs.floats(10, 35)), new Pair(values, alike),
				new Pair(values, new float[] { values[0], 3 }), new Pair(new float[0], values));
	}

	record Pair(@Capacity(64) float[] first, @Capacity(64) float[] second) {
	}

	record Grid(int from, int rows, int distance, @Capacity(64) float[] values) {
	}

	record Window(int from, int to, int at, @Capacity(64) float[] values) {
	}

	record Sum(float sum, float last, int count) {
	}

	record Found(@Capacity(64) int[] indices) {
	}

	record Smooth(@Capacity(64) float[] values) {
	}

	/** Outside a range, with a variable that code behind the loop reads. */
	static final class Sums implements RingKernelHandler<Window, Sum> {

		@Override
		public Sum handle(Window request) {
			float sum = 0;
			float last = -1;
			int count = 0;
			for (int i = request.from(); i < request.to(); i++) {
				last = request.values()[i + request.at()];
				sum = sum * 0.5f + last;
				count++;
			}
			return new Sum(sum, last, count);
		}

	}

	/** A loop that is left in its middle. */
	static final class Searches implements RingKernelHandler<Window, Found> {

		@Override
		public Found handle(Window request) {
			int[] found = new int[request.values().length];
			Parallel.range(found.length, (i) -> found[i] = first(request.values(), request.values()[i] + 1, i));
			return new Found(found);
		}

		private static int first(float[] values, float above, int at) {
			int seen = 0;
			int from = at % 4;
			for (int j = from; j < values.length; j++) {
				if (values[j] > above) {
					return 100 * j + seen;
				}
				if (values[j] < -above) {
					continue;
				}
				seen++;
			}
			return -seen;
		}

	}

	/** Windows that reach beyond both ends of the array, unless they are cut there. */
	static final class Windows implements RingKernelHandler<Window, Smooth> {

		@Override
		public Smooth handle(Window request) {
			float[] values = request.values();
			float[] smooth = new float[values.length];
			Parallel.range(smooth.length, (i) -> {
				float sum = 0;
				int end = Math.min(request.to(), values.length - i);
				for (int j = Math.max(request.from(), -i); j < end; j += 2) {
					sum += values[i + j] * (j + 1);
				}
				smooth[i] = sum;
			});
			return new Smooth(smooth);
		}

	}

	/** Counts of what is less, in loops whose branches select a number. */
	static final class Ranks implements RingKernelHandler<Window, Found> {

		@Override
		public Found handle(Window request) {
			float[] values = request.values();
			long[] keys = new long[values.length];
			Parallel.range(keys.length, (i) -> keys[i] = ((long) Float.floatToIntBits(values[i]) << 8) | i);
			int[] ranks = new int[values.length];
			Parallel.range(ranks.length, (i) -> {
				int less = 0;
				int same = request.at();
				for (int j = 0; j < keys.length; j++) {
					less += (keys[j] < keys[i]) ? 1 : 0;
					same = (values[j] == values[i] && j != i) ? same + j : same;
				}
				ranks[i] = 1000 * less + same;
			});
			long bound = Parallel.minLong(keys.length, (i) -> {
				int upTo = 0;
				for (int j = 0; j < keys.length; j++) {
					upTo += (keys[j] <= keys[i]) ? 1 : 0;
				}
				return (upTo >= request.to()) ? keys[i] : Long.MAX_VALUE;
			});
			ranks[0] += (int) bound;
			return new Found(ranks);
		}

	}

	/** Variables that hand values on from one index to the next. */
	static final class Variables implements RingKernelHandler<Window, Sum> {

		@Override
		public Sum handle(Window request) {
			float[] values = request.values();
			float before = 1;
			float now = 2;
			float seen = 0;
			int count = 0;
			for (int i = 0; i < values.length; i++) {
				float both = before;
				before = now;
				now = both + values[i];
				seen = values[i] - i;
				count += i & 3;
			}
			return new Sum(now - before, seen, count);
		}

	}

	/** Rows whose length a request states: each iteration has a column. */
	static final class Columns implements RingKernelHandler<Grid, Smooth> {

		@Override
		public Smooth handle(Grid request) {
			float[] values = request.values();
			float[] sums = new float[Math.max(Math.min(request.distance(), 8), 1)];
			Parallel.range(sums.length, (column) -> {
				float sum = 0;
				for (int row = 0; row < request.rows(); row++) {
					sum = sum * 0.5f + values[column + row * request.distance()];
				}
				sums[column] = sum;
			});
			return new Smooth(sums);
		}

	}

	/**
	 * Distances that are known when the handler is compiled, by all ways to state them.
	 */
	static final class Strides implements RingKernelHandler<Grid, Sum> {

		@Override
		public Sum handle(Grid request) {
			float[] values = request.values();
			float sum = 0;
			float last = 0;
			int count = 0;
			for (int i = 0; i < request.rows(); i++) {
				sum = sum * 0.5f + values[i * 8 + request.from()];
			}
			for (int i = 0; i < values.length / 8; i++) {
				last += values[(i << 3)];
				count++;
			}
			for (int i = 1; i < request.rows(); i += 2) {
				last = last * 0.25f + values[request.from() + 3 * i];
			}
			return new Sum(sum, last, count);
		}

	}

	/** Variables that a loop changes in their place, and those that a condition sets. */
	static final class Changes implements RingKernelHandler<Window, Sum> {

		@Override
		public Sum handle(Window request) {
			float[] values = request.values();
			float[] scratch = new float[values.length];
			Parallel.range(scratch.length, (i) -> scratch[i] = values[i] - values[0]);
			int count = 0;
			int sign = 0;
			for (int i = 0; i < 3; i++) {
				count += 5;
				if (i * request.at() > 2) {
					sign = 1;
				}
				else {
					sign = -1;
				}
			}
			float last = 0;
			for (int i = 0; i < scratch.length; i++) {
				count++;
				if (scratch[i] > 0) {
					last = 2;
				}
				else {
					last = 3;
				}
			}
			return new Sum(last, sign, count);
		}

	}

	/** The loop goes on in both branches. */
	static final class TwoWaysBack implements RingKernelHandler<Pair, Sum> {

		@Override
		public Sum handle(Pair request) {
			int i = 0;
			int same = 0;
			while (i < 8) {
				if (request.first()[i] == request.second()[i]) {
					same++;
					i++;
				}
				else {
					i += 2;
				}
			}
			return new Sum(same, i, same);
		}

	}

}
