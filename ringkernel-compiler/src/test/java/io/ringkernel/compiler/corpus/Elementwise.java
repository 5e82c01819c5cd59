package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * An element of the response for each element of the request.
 */
final class Elementwise {

	private Elementwise() {
	}

	static List<Sample<?, ?>> samples() {
		return List.of(
				new Sample<>(new VectorAdd(), Pair.class, Floats.class,
						IntStream.concat(Arrays.stream(Inputs.LENGTHS), IntStream.of(4096))
							.mapToObj((n) -> new Pair(2, Inputs.floats(n, 1), Inputs.floats(n, 2)))
							.toList()),
				new Sample<>(new Saxpy(), Pair.class, Floats.class,
						List.of(new Pair(2.5f, Inputs.FLOATS, Inputs.FLOATS),
								new Pair(-0.1f, Inputs.floats(777, 3), Inputs.floats(777, 4)),
								new Pair(3, Inputs.floats(4096, 10), Inputs.floats(4096, 11)))),
				new Sample<>(new Sequential(), Pair.class, Floats.class,
						List.of(new Pair(0.5f, Inputs.floats(65, 5), Inputs.floats(65, 6)))),
				new Sample<>(new Distances(), Vectors.class, Floats.class,
						List.of(new Vectors(Inputs.floats(16, 7), Inputs.floats(16 * 50, 8)),
								new Vectors(Inputs.floats(16, 7), Inputs.floats(4096, 12)))),
				new Sample<>(new Collatz(), Numbers.class, Numbers.class,
						List.of(new Numbers(new int[] { 1, 2, 3, 27, 97, 871, 6171 }), new Numbers(Inputs.INTS),
								new Numbers(IntStream.range(1, 1025).toArray()))),
				new Sample<>(new Blur(), Image.class, Floats.class, List.of(new Image(20, Inputs.floats(400, 9)),
						new Image(1, new float[] { 4 }), new Image(64, Inputs.floats(4096, 13)))));
	}

	record Pair(float factor, @Capacity(4096) float[] a, @Capacity(4096) float[] b) {
	}

	record Floats(@Capacity(4096) float[] values) {
	}

	record Numbers(@Capacity(1024) int[] values) {
	}

	record Vectors(@Capacity(64) float[] query, @Capacity(4096) float[] vectors) {
	}

	record Image(int width, @Capacity(4096) float[] pixels) {
	}

	static final class VectorAdd implements RingKernelHandler<Pair, Floats> {

		@Override
		public Floats handle(Pair request) {
			float[] sum = new float[request.a().length];
			Parallel.range(sum.length, (i) -> sum[i] = request.a()[i] + request.b()[i]);
			return new Floats(sum);
		}

	}

	static final class Saxpy implements RingKernelHandler<Pair, Floats> {

		@Override
		public Floats handle(Pair request) {
			float[] out = new float[request.a().length];
			Parallel.range(out.length, (i) -> out[i] = request.factor() * request.a()[i] + request.b()[i]);
			return new Floats(out);
		}

	}

	/** Without a parallel part: the first thread stores, and all see it. */
	static final class Sequential implements RingKernelHandler<Pair, Floats> {

		@Override
		public Floats handle(Pair request) {
			float[] smooth = new float[request.a().length];
			smooth[0] = request.a()[0];
			for (int i = 1; i < smooth.length; i++) {
				smooth[i] = smooth[i - 1] + request.factor() * (request.a()[i] - smooth[i - 1]);
				smooth[i] += request.b()[i];
			}
			return new Floats(smooth);
		}

	}

	static final class Distances implements RingKernelHandler<Vectors, Floats> {

		@Override
		public Floats handle(Vectors request) {
			int dimensions = request.query().length;
			float[] distances = new float[request.vectors().length / dimensions];
			Parallel.range(distances.length,
					(i) -> distances[i] = distance(request.query(), request.vectors(), i * dimensions));
			return new Floats(distances);
		}

		private static float distance(float[] query, float[] vectors, int at) {
			float distance = 0;
			for (int j = 0; j < query.length; j++) {
				float difference = query[j] - vectors[at + j];
				distance += difference * difference;
			}
			return distance;
		}

	}

	static final class Collatz implements RingKernelHandler<Numbers, Numbers> {

		private final int limit = Integer.parseInt("1000");

		@Override
		public Numbers handle(Numbers request) {
			int[] steps = new int[request.values().length];
			Parallel.range(steps.length, (i) -> steps[i] = steps(request.values()[i]));
			return new Numbers(steps);
		}

		private int steps(long n) {
			int steps = 0;
			while (n != 1 && steps < this.limit) {
				n = ((n & 1) == 0) ? n >> 1 : 3 * n + 1;
				steps++;
			}
			return steps;
		}

	}

	static final class Blur implements RingKernelHandler<Image, Floats> {

		@Override
		public Floats handle(Image image) {
			float[] blurred = new float[image.pixels().length];
			int height = image.pixels().length / image.width();
			Parallel.range(blurred.length, (i) -> blurred[i] = mean(image.pixels(), image.width(), height,
					i % image.width(), i / image.width()));
			return new Floats(blurred);
		}

		private static float mean(float[] pixels, int width, int height, int x, int y) {
			float sum = 0;
			for (int dy = -1; dy <= 1; dy++) {
				for (int dx = -1; dx <= 1; dx++) {
					int column = Math.min(Math.max(x + dx, 0), width - 1);
					int row = Math.min(Math.max(y + dy, 0), height - 1);
					sum += pixels[row * width + column];
				}
			}
			return sum / 9;
		}

	}

}
