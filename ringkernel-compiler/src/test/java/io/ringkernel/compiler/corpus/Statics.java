package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Static constants that are arrays and records, and the fields of enums.
 */
final class Statics {

	private Statics() {
	}

	static List<Sample<?, ?>> samples() {
		List<Question> questions = new ArrayList<>();
		for (Op op : Op.values()) {
			for (int n : List.of(-1, 0, 1, 2, 3, 7, 99, 100)) {
				questions.add(new Question(op, n, (n + 1) * 0.5));
			}
		}
		return List.of(sample(new Tables(), questions), sample(new Records(), questions),
				sample(new FieldsOfEnums(), questions), sample(new NamesOfEnums(), questions),
				sample(new ArraysOfEnums(), questions), sample(new DefaultsOfRecords(), questions),
				sample(new Inheriting(), questions));
	}

	private static Sample<Question, Answer> sample(RingKernelHandler<Question, Answer> handler,
			List<Question> questions) {
		return new Sample<>(handler, Question.class, Answer.class, questions);
	}

	record Question(Op op, int n, double real) {
	}

	record Answer(long number, double real, @Capacity(32) String text, @Capacity(128) int[] values) {
	}

	enum Mode {

		EXACT, ROUGH

	}

	record Range(int from, double to, String unit, Mode mode) {

		Range {
			if (from > to) {
				throw new IllegalArgumentException("from is beyond to");
			}
		}

		boolean has(double value) {
			return this.from <= value && value < this.to;
		}

	}

	enum Op {

		ADD(2, 0.5f, "plus", new Range(0, 3, "m", Mode.ROUGH), Optional.empty(), 1, 2, 3),
		MUL(3, Float.NaN, "größer", new Range(-1, 1, "m", Mode.ROUGH), Optional.of(2)),
		LAST(-7, -0f, "", new Range(1, 99, "sec", Mode.EXACT), Optional.of(1), 9, 8) {

			private final long own = Long.MIN_VALUE;

			@Override
			long apply(long value) {
				return this.own ^ value + factor();
			}

		};

		private final int factor;

		private final float weight;

		private final String sign;

		private final Range range;

		private final Optional<Integer> unused;

		private final int[] table;

		private final boolean flag = true;

		Op(int factor, float weight, String sign, Range range, Optional<Integer> unused, int... table) {
			this.factor = factor;
			this.weight = weight;
			this.sign = sign;
			this.range = range;
			this.unused = unused;
			this.table = table;
		}

		int factor() {
			return this.factor;
		}

		long apply(long value) {
			return value * this.factor;
		}

		Optional<Integer> unused() {
			return this.unused;
		}

	}

	/** Read outside of loops, in parallel, and by an index that may be none. */
	static final class Tables implements RingKernelHandler<Question, Answer> {

		private static final int[] SQUARES = new int[100];

		private static final double[] WEIGHTS = { 0.5, -0.0, Double.NaN, 1e300 };

		static final byte[] BYTES = { 1, -1, 127, -128 };

		static final boolean[] FLAGS = { true, false, true };

		static final char[] CHARS = "größer".toCharArray();

		static final long[] NONE = {};

		static {
			for (int i = 0; i < SQUARES.length; i++) {
				SQUARES[i] = i * i;
			}
		}

		private final int[] counts = new int[4];

		@Override
		public Answer handle(Question request) {
			int[] values = new int[SQUARES.length];
			Parallel.range(values.length, (i) -> values[i] = SQUARES[i] + BYTES[i % 4] + CHARS[i % CHARS.length]);
			byte[] bytes = BYTES;
			int sum = SQUARES[request.n()] + sum(SQUARES) + bytes.length;
			for (int i = 0; i < FLAGS.length; i++) {
				this.counts[i] += FLAGS[i] ? bytes[i] : CHARS[i];
				sum += this.counts[i] - this.counts[i];
			}
			double[] weights = (request.n() > 1) ? WEIGHTS : new double[] { 3, request.real() };
			int[] chosen = (request.n() == 7) ? SQUARES : Other.TABLE;
			return new Answer(sum + NONE.length + chosen[1], weights[1] + WEIGHTS[3], "", values);
		}

		private static int sum(int[] values) {
			int sum = 0;
			for (int value : values) {
				sum += value;
			}
			return sum;
		}

	}

	/** The constants of an interface. */
	interface Other {

		int[] TABLE = { 4, 5, 6 };

		Range RANGE = new Range(2, 50, "kg", Mode.EXACT);

	}

	interface More extends Other {

		double ROOT = Math.sqrt(2);

	}

	abstract static class Base implements More {

	}

	/** Names constants of interfaces as its own. */
	static final class Inheriting extends Base implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			int[] values = new int[TABLE.length];
			Parallel.range(values.length, (i) -> values[i] = TABLE[i] + RANGE.from());
			return new Answer(TABLE[Math.floorMod(request.n(), 3)], ROOT * request.real() + RANGE.to(), RANGE.unit(),
					values);
		}

	}

	record Named(String name, int[] values, Range range) {
	}

	static final class Records implements RingKernelHandler<Question, Answer> {

		private static final Range SMALL = new Range(-5, 3.5, "cm", Mode.ROUGH);

		private static final Named NAMED = new Named("named", new int[] { 1, 2, 3 }, SMALL);

		@Override
		public Answer handle(Question request) {
			Range range = SMALL.has(request.n()) ? SMALL : Other.RANGE;
			Range last = new Range(0, request.n(), "n", Mode.EXACT);
			for (int i = 0; i < request.n() && i < 3; i++) {
				last = (i == 1) ? NAMED.range() : range;
			}
			int[] values = { NAMED.values()[2], NAMED.values().length, last.from() };
			return new Answer(range.from() + (last.mode() == Mode.EXACT ? 100 : 0), last.to(), last.unit(), values);
		}

	}

	static final class FieldsOfEnums implements RingKernelHandler<Question, Answer> {

		private static final Op FIXED = Op.MUL;

		@Override
		public Answer handle(Question request) {
			Op op = request.op();
			long sum = op.factor() + op.apply(request.n()) + FIXED.factor() + Op.LAST.apply(3) + (op.flag ? 1 : 0);
			for (int i = 0; i < request.n() % 5; i++) {
				op = (op == Op.ADD) ? Op.LAST : Op.ADD;
				sum = sum * 31 + op.factor();
			}
			int[] each = new int[64];
			Op kept = op;
			Parallel.range(each.length, (i) -> each[i] = ((i % 3 == 0) ? Op.MUL : kept).factor() * i);
			return new Answer(sum, op.weight + op.range.to(), op.sign, each);
		}

	}

	static final class NamesOfEnums implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			String text = (request.n() > 2) ? request.op().name() : request.op().sign;
			if (request.n() == 7) {
				throw new IllegalStateException(request.op().name());
			}
			return new Answer(Op.ADD.name().length() + request.op().range.unit().length(), 0, text, new int[0]);
		}

	}

	static final class ArraysOfEnums implements RingKernelHandler<Question, Answer> {

		@Override
		public Answer handle(Question request) {
			int[] table = request.op().table;
			int sum = 0;
			for (int value : table) {
				sum += value;
			}
			return new Answer(sum + Parallel.sumInt(table.length, (i) -> table[i] * i), Op.ADD.table[1], Op.MUL.sign,
					new int[] { table[request.n()] });
		}

	}

	interface Area {

		double side();

		default double area() {
			return side() * side();
		}

		default String kind() {
			return (area() > 4) ? "large" : "small";
		}

	}

	record Square(double side) implements Area {
	}

	record Circle(double side) implements Area {

		@Override
		public double area() {
			return 3 * Area.super.area();
		}

	}

	static final class DefaultsOfRecords implements RingKernelHandler<Question, Answer> {

		private static final Circle CIRCLE = new Circle(1);

		@Override
		public Answer handle(Question request) {
			Area square = new Square(request.real());
			Area circle = new Circle(request.real());
			return new Answer(0, square.area() + circle.area() + CIRCLE.area(),
					(request.n() > 2) ? square.kind() : (request.n() == 0) ? CIRCLE.kind() : circle.kind(), new int[0]);
		}

	}

}
