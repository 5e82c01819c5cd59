package io.ringkernel.compiler.corpus;

import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Requests that fail.
 */
final class Failing {

	private Failing() {
	}

	static List<Sample<?, ?>> samples() {
		int[] numbers = Inputs.ints(300, 1);
		List<Indices> indices = List.of(new Indices(0, 3, numbers), new Indices(299, 1, numbers),
				new Indices(300, 1, numbers), new Indices(-1, 1, numbers), new Indices(7, 0, numbers));
		return List.of(new Sample<>(new Checked(), Indices.class, Found.class, indices),
				new Sample<>(new FirstOfMany(), Indices.class, Found.class, indices),
				new Sample<>(new FailingReduction(), Indices.class, Found.class, indices),
				new Sample<>(new Gather(), Indices.class, Found.class, indices),
				new Sample<>(new Unanswered(), Indices.class, Found.class, indices),
				new Sample<>(new OwnExceptions(), Indices.class, Found.class, indices),
				new Sample<>(new Casts(), Indices.class, Found.class, indices));
	}

	record Indices(int at, int divisor, @Capacity(512) int[] numbers) {
	}

	record Found(long number) {

		Found {
			if (number == 42) {
				throw new IllegalStateException("The answer is not returned");
			}
		}

	}

	static final class Checked implements RingKernelHandler<Indices, Found> {

		@Override
		public Found handle(Indices request) {
			if (request.at() < 0) {
				throw new IllegalArgumentException("at is negative: " + request.at());
			}
			return new Found(request.numbers()[request.at()] / request.divisor());
		}

	}

	/** Of all indices that fail, the lowest is that of the request. */
	static final class FirstOfMany implements RingKernelHandler<Indices, Found> {

		@Override
		public Found handle(Indices request) {
			Parallel.range(request.numbers().length, (i) -> {
				if (i > 100 && i % 3 == 0) {
					throw new IllegalStateException("divisible by three");
				}
				if (i > request.at() && request.at() > 10) {
					throw new IllegalStateException("behind");
				}
				request.numbers()[i] = i / request.divisor();
			});
			return new Found(request.numbers()[5]);
		}

	}

	/** Straight code that fails in several ways, at indices that are taken together. */
	static final class Gather implements RingKernelHandler<Indices, Found> {

		@Override
		public Found handle(Indices request) {
			int[] numbers = request.numbers();
			int[] quotients = new int[numbers.length];
			Parallel.range(numbers.length,
					(i) -> quotients[i] = numbers[i * (1 + request.at() / 299)] / (i - 9 * request.at()));
			return new Found(quotients[1]);
		}

	}

	static final class FailingReduction implements RingKernelHandler<Indices, Found> {

		@Override
		public Found handle(Indices request) {
			return new Found(Parallel.sumLong(request.numbers().length, (i) -> {
				if (i > 260 || i == request.at()) {
					throw new UnsupportedOperationException();
				}
				return request.numbers()[i + request.divisor() - 1];
			}));
		}

	}

	/** A method that has a result, and always throws. */
	static final class Unanswered implements RingKernelHandler<Indices, Found> {

		private final int[] lock = new int[1];

		@Override
		public Found handle(Indices request) {
			if (request.divisor() == 3) {
				return Parallel.shared(this.lock, () -> {
					throw new UnsupportedOperationException();
				});
			}
			int at = (request.at() < 300) ? request.at() : none(request.at());
			return new Found(request.numbers()[at]);
		}

		private static int none(int at) {
			throw new IllegalArgumentException("There is no number " + at);
		}

	}

	/** Exceptions whose constructors hand on a message, or compute it. */
	static final class OwnExceptions implements RingKernelHandler<Indices, Found> {

		@Override
		public Found handle(Indices request) {
			if (request.at() < 0) {
				throw new TooLarge("amount");
			}
			if (request.at() == 300) {
				throw new Coded("kind", 3L, "the reason");
			}
			if (request.at() == 299) {
				throw new Missing();
			}
			if (request.at() == 7) {
				throw new Reworded("what is handed on");
			}
			throw new Unknown("index", 5);
		}

		static class TooLarge extends RuntimeException {

			TooLarge(String what) {
				super(what + " is too large");
			}

		}

		static class Coded extends IllegalStateException {

			private final String kind;

			private final long code;

			Coded(String kind, long code, String reason) {
				super(reason, null);
				this.kind = kind;
				this.code = code;
			}

			String code() {
				return this.kind + this.code;
			}

		}

		static final class Unknown extends Coded {

			Unknown(String kind, int code) {
				super(kind, code, "unknown");
			}

		}

		static final class Missing extends TooLarge {

			Missing() {
				super("nothing");
			}

		}

		static final class Reworded extends RuntimeException {

			Reworded(String message) {
				super(message);
			}

			@Override
			public String getMessage() {
				return "none";
			}

		}

	}

	interface Area {

	}

	record Square(double side) implements Area {
	}

	record Circle(double side, int radius) implements Area {
	}

	enum Mode {

		EXACT, ROUGH

	}

	/** Casts to what the object is, and to what it is not. */
	static final class Casts implements RingKernelHandler<Indices, Found> {

		@Override
		public Found handle(Indices request) {
			return switch (request.at()) {
				case 0 -> new Found(number(request.divisor()));
				case 7 -> new Found(ordinal(new Square(1)));
				case 300 -> new Found(radius(new Square(1)));
				default -> new Found((long) size(new Square(9), request.at() > 0) + ordinal(Mode.ROUGH) + number(5L)
						+ radius(new Circle(1, 2)));
			};
		}

		private static double size(Area area, boolean isSquare) {
			return isSquare ? ((Square) area).side() : ((Circle) area).side();
		}

		/** A square has no such component. */
		private static int radius(Object object) {
			Area area = (Area) object;
			return ((Circle) area).radius();
		}

		private static long number(Object number) {
			return (Long) number;
		}

		private static int ordinal(Object constant) {
			return ((Mode) constant).ordinal();
		}

	}

}
