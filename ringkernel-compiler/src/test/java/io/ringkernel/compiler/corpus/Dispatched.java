package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Methods that the class of an object decides upon.
 */
final class Dispatched {

	private Dispatched() {
	}

	static List<Sample<?, ?>> samples() {
		List<Asked> asked = Arrays.stream(Inputs.INTS)
			.mapToObj((number) -> new Asked(number, Op.values()[number & 3], Inputs.ints(40, number)))
			.toList();
		return List.of(new Sample<>(new EnumsWithBodies(), Asked.class, Answer.class, asked),
				new Sample<>(new EnumsInAParallelLoop(), Asked.class, Answer.class, asked),
				new Sample<>(new Defaults(), Asked.class, Answer.class, asked),
				new Sample<>(new Sub(), Asked.class, Answer.class, asked),
				new Sample<>(new ObjectsOfFields(), Asked.class, Answer.class, asked));
	}

	record Asked(int number, Op op, @Capacity(64) int[] values) {
	}

	record Answer(int number, @Capacity(64) int[] values) {
	}

	interface Applied {

		int apply(int value);

		default int twice(int value) {
			return apply(apply(value));
		}

	}

	enum Op implements Applied {

		ADD {
			@Override
			public int apply(int value) {
				return value + 1;
			}

			@Override
			public int twice(int value) {
				return value + 2 + check(value);
			}
		},
		MUL, NONE {
			@Override
			public int apply(int value) {
				if (value == 1) {
					throw new IllegalArgumentException("nothing of one");
				}
				return super.apply(value) - 1;
			}

			@Override
			public int twice(int value) {
				return -apply(apply(value));
			}
		},
		LAST;

		@Override
		public int apply(int value) {
			return value * 2;
		}

		int check(int value) {
			return (this == ADD) ? value & 1 : -1;
		}

	}

	/** Of constants, of a constant that the request brings, and through an interface. */
	static final class EnumsWithBodies implements RingKernelHandler<Asked, Answer> {

		private final Op field = Op.NONE;

		@Override
		public Answer handle(Asked request) {
			Applied applied = request.op();
			int sum = Op.ADD.apply(5) + 10 * Op.MUL.apply(5) + 100 * request.op().apply(request.number())
					+ applied.twice(request.number()) + Op.ADD.twice(request.number()) + this.field.twice(7);
			Op op = Op.LAST;
			for (int i = 0; i < 5; i++) {
				sum = sum * 31 + op.apply(sum);
				op = (sum < 0) ? Op.ADD : request.op();
			}
			return new Answer(sum, new int[0]);
		}

	}

	static final class EnumsInAParallelLoop implements RingKernelHandler<Asked, Answer> {

		@Override
		public Answer handle(Asked request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> {
				Op op = ((request.values()[i] & 1) == 0) ? request.op() : Op.ADD;
				out[i] = op.apply(request.values()[i]) + op.twice(i);
			});
			return new Answer(Parallel.sumInt(out.length, (i) -> request.op().twice(out[i])), out);
		}

	}

	interface Shape {

		default int area() {
			return -1;
		}

		default int twice() {
			return 2 * area();
		}

	}

	interface Named extends Shape {

		@Override
		default int twice() {
			return Shape.super.twice() + 1;
		}

	}

	record Square(int side) implements Shape {

		@Override
		public int area() {
			return this.side * this.side;
		}

	}

	record Point(int at) implements Named {
	}

	interface Generic<T> {

		T next(T value);

	}

	record Step(int by) implements Generic<Integer> {

		@Override
		public Integer next(Integer value) {
			return value + this.by;
		}

	}

	static final class Defaults implements RingKernelHandler<Asked, Answer> {

		@Override
		public Answer handle(Asked request) {
			Shape square = new Square(request.number());
			Shape point = new Point(3);
			Generic<Integer> step = new Step(request.number());
			return new Answer(square.area() + 3 * square.twice() + 5 * point.area() + 7 * point.twice() + step.next(5),
					new int[0]);
		}

	}

	abstract static class Base implements RingKernelHandler<Asked, Answer> {

		private int hidden(int value) {
			return value + 10;
		}

		int cost(int value) {
			return hidden(value) + 1;
		}

		abstract int other(int value);

		int made(int value) {
			return other(value) + cost(value);
		}

		static int fixed(Base base, int value) {
			return base.cost(value) + 1000;
		}

	}

	abstract static class Middle extends Base {

		@Override
		int cost(int value) {
			return super.cost(value) * 3;
		}

	}

	/** What it has of its own does not replace what is private above. */
	static class Sub extends Middle {

		@Override
		public Answer handle(Asked request) {
			IntUnaryOperator own = this::hidden;
			IntUnaryOperator above = super::cost;
			return new Answer(made(request.number()) + 3 * hidden(request.number()) + 5 * fixed(this, 2)
					+ 7 * own.applyAsInt(1) + 11 * above.applyAsInt(2), new int[0]);
		}

		private int hidden(int value) {
			return value + 20;
		}

		@Override
		int cost(int value) {
			return super.cost(value) * 2;
		}

		@Override
		int other(int value) {
			return value - 1;
		}

	}

	static class Plain {

		int of(int value) {
			return value + 1;
		}

	}

	static class Special extends Plain {

		@Override
		int of(int value) {
			return value + 2;
		}

	}

	static final class ObjectsOfFields implements RingKernelHandler<Asked, Answer> {

		private static final Plain SHARED = new Special();

		private final Plain own = new Special();

		private final Shape shape = new Named() {

			@Override
			public int area() {
				return 77;
			}

		};

		@Override
		public Answer handle(Asked request) {
			return new Answer(this.own.of(request.number()) + 3 * SHARED.of(1) + 5 * this.shape.twice(), new int[0]);
		}

	}

}
