package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Values that may be absent.
 */
final class Absent {

	private Absent() {
	}

	static List<Sample<?, ?>> samples() {
		List<Maybe> maybe = new ArrayList<>();
		maybe.add(new Maybe(OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty(), Optional.empty(),
				Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), new int[0]));
		for (int number : Inputs.INTS) {
			boolean odd = (number & 1) != 0;
			maybe.add(new Maybe(OptionalInt.of(number),
					odd ? OptionalLong.of((long) number << 31) : OptionalLong.empty(),
					odd ? OptionalDouble.empty() : OptionalDouble.of(number / 3.0), Optional.of(number * 0.1f),
					odd ? Optional.of((byte) number) : Optional.empty(), Optional.of(new Place(number, -0.0)),
					odd ? Optional.empty() : Optional.of(Color.BLUE),
					odd ? Optional.of(Inputs.floats(number & 63, number)) : Optional.empty(), Inputs.ints(40, number)));
		}
		return List.of(new Sample<>(new SameOrAbsent(), Maybe.class, Maybe.class, maybe),
				new Sample<>(new OrElse(), Maybe.class, Chosen.class, maybe),
				new Sample<>(new Required(), Maybe.class, Chosen.class, maybe),
				new Sample<>(new Refused(), Maybe.class, Chosen.class, maybe),
				new Sample<>(new Missing(), Maybe.class, Chosen.class, maybe),
				new Sample<>(new MadeOptionals(), Maybe.class, Maybe.class, maybe),
				new Sample<>(new NestedArrays(), Maybe.class, Boxed.class, maybe));
	}

	enum Color {

		RED, BLUE

	}

	record Place(int x, double y) {
	}

	record Maybe(OptionalInt number, OptionalLong large, OptionalDouble exact, Optional<Float> real,
			Optional<Byte> small, Optional<Place> place, Optional<Color> color, @Capacity(64) Optional<float[]> values,
			@Capacity(64) int[] indices) {
	}

	record Chosen(boolean any, int number, long large, double exact, float real, byte small, Place place, Color color,
			@Capacity(64) float[] values) {
	}

	record Inner(@Capacity(64) int[] indices, @Capacity(64) float[] values) {
	}

	record Boxed(@Capacity(64) int[] indices, Inner inner, Optional<Inner> maybe) {
	}

	/** What comes, goes. */
	static final class SameOrAbsent implements RingKernelHandler<Maybe, Maybe> {

		@Override
		public Maybe handle(Maybe request) {
			return request;
		}

	}

	static final class OrElse implements RingKernelHandler<Maybe, Chosen> {

		@Override
		public Chosen handle(Maybe request) {
			boolean any = request.number().isPresent() && (request.large().isEmpty() || request.color().isPresent());
			return new Chosen(any, request.number().orElse(-7), request.large().orElse(1L << 40),
					request.exact().orElse(0.25), request.real().orElse(-0f), request.small().orElse((byte) 3),
					request.place().orElse(new Place(5, request.exact().orElse(2))), request.color().orElse(Color.RED),
					request.values().orElse(new float[3]));
		}

	}

	/** The first value that is absent fails the request. */
	static final class Required implements RingKernelHandler<Maybe, Chosen> {

		@Override
		public Chosen handle(Maybe request) {
			int number = request.number().getAsInt();
			Place place = request.place().get();
			float real = request.real().orElseThrow(() -> new IllegalStateException("nothing real"));
			long large = (number > 0) ? request.large().orElseThrow() : 0;
			return new Chosen(true, number, large, place.y(), real, (byte) 0, place, Color.RED,
					new float[] { real, number });
		}

	}

	/** What is to make an exception throws one itself. */
	static final class Refused implements RingKernelHandler<Maybe, Chosen> {

		@Override
		public Chosen handle(Maybe request) {
			float real = request.real().orElseThrow(() -> {
				throw new IllegalStateException("nothing real");
			});
			long large = request.large().orElseThrow(() -> failure(request.indices().length));
			return new Chosen(true, 0, large, 0, real, (byte) 0, new Place(0, 0), Color.RED, new float[0]);
		}

		private static IllegalStateException failure(int length) {
			throw new IllegalArgumentException("no failure of " + length);
		}

	}

	/** In the body of a parallel loop, the lowest index fails. */
	static final class Missing implements RingKernelHandler<Maybe, Chosen> {

		@Override
		public Chosen handle(Maybe request) {
			float[] out = new float[request.indices().length];
			Parallel.range(out.length, (i) -> {
				int index = request.indices()[i];
				out[i] = ((index & 31) == 5) ? request.values().get()[index & 1] : request.real().orElse(1f) * i;
			});
			return new Chosen(false, 0, 0, 0, 0, (byte) 0, new Place(0, 0), Color.BLUE, out);
		}

	}

	static final class MadeOptionals implements RingKernelHandler<Maybe, Maybe> {

		@Override
		public Maybe handle(Maybe request) {
			int number = request.number().orElse(0);
			Optional<Float> real = (number > 0) ? Optional.of(number * 2f) : Optional.empty();
			Optional<Place> place = (number < 0) ? Optional.empty() : Optional.of(new Place(number + 1, 0.5));
			OptionalLong large = (number == 0) ? OptionalLong.empty() : OptionalLong.of(number);
			return new Maybe(OptionalInt.of(number + 1), large, OptionalDouble.of(number), real, small(number), place,
					request.color().isPresent() ? request.color() : Optional.of(Color.RED), values(request),
					request.indices());
		}

		private static Optional<Byte> small(int number) {
			if (number == 2) {
				return Optional.empty();
			}
			return Optional.of((byte) number);
		}

		private static Optional<float[]> values(Maybe request) {
			if (request.values().isPresent()) {
				return Optional.empty();
			}
			float[] values = new float[request.indices().length];
			Parallel.range(values.length, (i) -> values[i] = i);
			return Optional.of(values);
		}

	}

	/** Components of nested records may be like those of the response. */
	static final class NestedArrays implements RingKernelHandler<Maybe, Boxed> {

		@Override
		public Boxed handle(Maybe request) {
			int[] doubled = new int[request.indices().length];
			Parallel.range(doubled.length, (i) -> doubled[i] = 2 * request.indices()[i]);
			Inner inner = new Inner(request.indices(), request.values().orElse(new float[2]));
			return new Boxed(doubled, inner, request.large().isPresent() ? Optional.of(inner) : Optional.empty());
		}

	}

}
