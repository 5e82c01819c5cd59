package io.ringkernel.test.ptx.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes the statements of a handler. Each stands for itself, so that some of them can be
 * left out.
 */
final class HandlerGenerator {

	private static final int DEPTH = 3;

	private static final Variables OUTSIDE = new Variables(List.of("a", "b"), List.of("c"), List.of("d"), List.of("e"));

	/** In a loop; its variable is k. */
	private static final Variables IN_LOOP = OUTSIDE.with("k");

	private static final Variables IN_LAMBDA = BodyGenerator.IN_LAMBDA;

	/** In a lambda without an index. */
	private static final Variables IN_SUPPLIER = new Variables(List.of("fa", "fb"), List.of("fc"), List.of("fd"),
			List.of("fe"));

	private static final String COPIES = "final int fa = a, fb = b; final long fc = c; final float fd = d; final double fe = e;";

	private final Random random;

	private final ExpressionGenerator expressions;

	private final BodyGenerator bodies;

	private final ChoiceGenerator choices;

	private final DispatchGenerator dispatches;

	private final ArrayGenerator arrays;

	private final ReductionGenerator reductions;

	private final TextGenerator texts;

	HandlerGenerator(long seed) {
		this.random = new Random(seed);
		this.expressions = new ExpressionGenerator(this.random);
		this.bodies = new BodyGenerator(this.expressions);
		this.choices = new ChoiceGenerator(this.expressions);
		this.dispatches = new DispatchGenerator(this.expressions);
		this.arrays = new ArrayGenerator(this.expressions);
		this.reductions = new ReductionGenerator(this.expressions);
		this.texts = new TextGenerator(this.expressions);
	}

	List<String> statements() {
		List<String> statements = new ArrayList<>();
		int count = 2 + this.random.nextInt(5);
		for (int i = 0; i < count; i++) {
			statements.add(statement());
		}
		if (this.random.nextInt(4) == 0) {
			statements.replaceAll((statement) -> statement.replace("Parallel.range(", "Parallel.gridRange("));
		}
		return statements;
	}

	private String statement() {
		return switch (this.random.nextInt(51)) {
			case 0, 1, 2 -> assignment(OUTSIDE);
			case 3 -> "if (%s) { %s } else { %s }".formatted(this.expressions.condition(2, OUTSIDE),
					assignment(OUTSIDE), assignment(OUTSIDE));
			case 4 -> "for (int k = 0; k < (%s & 15); k++) { %s if (%s) { break; } }".formatted(
					this.expressions.of(Type.INT, 1, OUTSIDE), assignment(IN_LOOP),
					this.expressions.condition(1, IN_LOOP));
			case 5 -> "if (%s) { throw new IllegalStateException(\"refused\"); }"
				.formatted(this.expressions.condition(2, OUTSIDE));
			case 6 -> reduction();
			case 7 -> "{ %s Parallel.range(outInts.length, (i) -> outInts[i] = %s); }".formatted(COPIES,
					this.expressions.of(Type.INT, DEPTH, IN_LAMBDA));
			case 8 -> "{ %s Parallel.range(outFloats.length, (i) -> outFloats[i] = %s); }".formatted(COPIES,
					this.expressions.of(Type.FLOAT, DEPTH, IN_LAMBDA));
			case 9 -> state();
			case 10 -> "{ Parallel.range(ints.length, (i) -> Parallel.%s(this.counts, ints[i] & 15, i)); }"
				.formatted(this.expressions.pick(List.of("atomicAdd", "atomicMax")));
			case 11 -> chosen();
			case 12 -> "d += sum(floats, %s, %s, %s);".formatted(bound(OUTSIDE), bound(OUTSIDE), bound(OUTSIDE));
			case 13 -> "{ %s Parallel.range(outFloats.length, (i) -> outFloats[i] = sum(floats, %s, %s, i)); }"
				.formatted(COPIES, bound(IN_LAMBDA), this.expressions.pick(List.of(bound(IN_LAMBDA),
						"floats.length - i", "Math.min(%s, floats.length - i)".formatted(bound(IN_LAMBDA)))));
			case 14 -> scratch();
			case 15 -> "d += rotated(%s, %s, %s);".formatted(this.expressions.pick(List.of("floats", "outFloats")),
					bound(OUTSIDE), this.expressions.of(Type.FLOAT, 2, OUTSIDE));
			case 16, 17 -> "{ %s Parallel.range(outInts.length, (i) -> %s); }".formatted(COPIES,
					this.bodies.of("outInts[i] =", Type.INT));
			case 18 -> "{ %s Parallel.range(outFloats.length, (i) -> %s); }".formatted(COPIES,
					this.bodies.of("outFloats[i] =", Type.FLOAT));
			case 19 -> "{ %s Parallel.range(outLongs.length, (i) -> %s); }".formatted(COPIES,
					this.bodies.of("outLongs[i] =", Type.LONG));
			case 20 -> reductionOfBodies();
			case 21 -> folded();
			case 22 -> captured();
			case 23 -> selected();
			case 24 -> exclusive();
			case 25 -> "nowMaybe = %s ? OptionalInt.of(%s) : %s; nowMode = %s ? mode : Input.Mode.THIRD;".formatted(
					this.expressions.condition(1, OUTSIDE), this.expressions.of(Type.INT, 2, OUTSIDE),
					this.expressions.pick(List.of("maybe", "nowMaybe", "OptionalInt.empty()")),
					this.expressions.condition(1, OUTSIDE));
			case 26 -> counted();
			case 27 -> "for (int k = 0; k < ints.length; k += 3) { ints[k] = %s; }"
				.formatted(this.expressions.of(Type.INT, 2, IN_LOOP));
			case 28, 29 -> this.choices.of(this.expressions.pick(OUTSIDE.of(Type.INT)), OUTSIDE);
			case 39 -> this.arrays.rows(this.expressions.pick(OUTSIDE.of(Type.INT)), OUTSIDE, OUTSIDE.with("m"));
			case 40 ->
				"{ %s final int[][] rows = new int[5][16]; Parallel.range(80, (i) -> rows[i >> 4][i & 15] = %s); a += sum(rows[b & 3]); }"
					.formatted(COPIES, this.expressions.of(Type.INT, 2, IN_LAMBDA));
			case 41, 42, 43 -> tried();
			case 36, 37, 38 -> this.arrays.of(OUTSIDE);
			case 30, 31, 32, 33, 34, 35 -> this.dispatches.of(COPIES, OUTSIDE, IN_LOOP, IN_LAMBDA);
			case 45, 46, 47, 48, 49, 50 -> this.texts.of(COPIES, OUTSIDE, IN_LOOP, IN_LAMBDA);
			default -> "for (int k = 0; k < outInts.length; k += 7) { outInts[k] = %s; }"
				.formatted(this.expressions.of(Type.INT, 2, IN_LOOP));
		};
	}

	/**
	 * An array that is gone with the request: its elements are zero at first, are written
	 * by threads or by one, and read by others. Its length may be negative.
	 */
	private String scratch() {
		Type type = this.expressions.pick(List.of(Type.values()));
		String length = this.expressions.pick(List.of("ints.length", "40", "Math.min(fa, 50)", "floats.length / 2 + 1",
				"Math.max(fb & 31, 3)", "(doubles.length > 32) ? 70 : 5"));
		String written = this.expressions.pick(List.of(
				"Parallel.range(made.length, (i) -> made[i] = %s);".formatted(this.expressions.of(type, 2, IN_LAMBDA)),
				"for (int i = 0; i < made.length; i += 3) { made[i] = %s; }"
					.formatted(this.expressions.of(type, 2, IN_LAMBDA)),
				"Parallel.range(made.length / 2, (i) -> made[2 * i] = %s);"
					.formatted(this.expressions.of(type, 1, IN_LAMBDA))));
		String read = this.expressions.pick(List.of("for (int i = 0; i < made.length; i++) { %1$s += made[i]; }",
				"%1$s = Parallel.sum%2$s(made.length, (i) -> made[made.length - 1 - i]);",
				"Parallel.range(Math.min(made.length, outInts.length), (i) -> outInts[i] = (int) made[(i + 7) %% made.length]);",
				"%1$s += made[fb & 7];"))
			.formatted(this.expressions.pick(OUTSIDE.of(type)), type.suffix());
		return "{ %s %s[] made = new %s[%s]; %s %s }".formatted(COPIES, type, type, length, written, read);
	}

	/** A block that is done whatever is thrown, which may go on nevertheless. */
	private String tried() {
		String guarded = "%s if (%s && %s) { throw new IllegalStateException(\"tried\"); } %s".formatted(
				assignment(OUTSIDE), this.expressions.condition(1, OUTSIDE), this.expressions.condition(1, OUTSIDE),
				this.expressions
					.pick(List.of(assignment(OUTSIDE), this.choices.of("b", OUTSIDE), "a = ints[b & 63];")));
		return this.expressions
			.pick(List.of("try { %1$s } finally { %2$s this.count ^= a; }",
					"for (int k = 0; k < 3; k++) { try { %1$s } finally { %2$s continue; } }",
					"for (int k = 0; k < 3; k++) { try { %1$s } finally { if (%4$s) { break; } %2$s } }",
					"try { try { %1$s } finally { %2$s } } finally { %3$s this.count += b; }"))
			.formatted(guarded, assignment(OUTSIDE), assignment(OUTSIDE), this.expressions.condition(1, OUTSIDE));
	}

	/** Fields of the handler, and elements of its arrays. */
	private String state() {
		String field = this.expressions.pick(List.of("this.count", "this.counts[%s & 15]", "this.counts[%s & 31]"));
		String place = field.formatted(this.expressions.of(Type.INT, 1, OUTSIDE));
		return this.random.nextBoolean() ? "%s = %s;".formatted(place, this.expressions.of(Type.INT, DEPTH, OUTSIDE))
				: "a = %s; d += this.sum; this.sum = %s;".formatted(place, this.expressions.of(Type.FLOAT, 2, OUTSIDE));
	}

	/** A record whose constructor is called with values that branches choose. */
	private String chosen() {
		return "{ Both both = new Both(%s ? %s : %s, %s ? %s : %s); a = both.number(); e = both.real(); }".formatted(
				this.expressions.condition(1, OUTSIDE), this.expressions.of(Type.INT, 2, OUTSIDE),
				this.expressions.of(Type.INT, 2, OUTSIDE), this.expressions.condition(1, OUTSIDE),
				this.expressions.of(Type.DOUBLE, 2, OUTSIDE), this.expressions.of(Type.DOUBLE, 2, OUTSIDE));
	}

	/** A small number, which may be negative. */
	private String bound(Variables variables) {
		return this.expressions.pick(List.of("0", "(%s & 15) - 2", "(%s & 63)"))
			.formatted(this.expressions.of(Type.INT, 1, variables));
	}

	private String assignment(Variables variables) {
		Type type = this.expressions.pick(List.of(Type.values()));
		return "%s = %s;".formatted(this.expressions.pick(OUTSIDE.of(type)),
				this.expressions.of(type, DEPTH, variables));
	}

	private String reduction() {
		Type type = this.expressions.pick(List.of(Type.values()));
		return reduced(type,
				this.reductions.of(type, this.expressions.pick(List.of("ints.length", "100", "33", "1")), "i",
						this.expressions.chance(4) ? this.reductions.inBody(type, "j", IN_LAMBDA)
								: this.expressions.of(type, 2, IN_LAMBDA)));
	}

	private String reductionOfBodies() {
		Type type = this.expressions.pick(List.of(Type.values()));
		return reduced(type, this.reductions.of(type, this.expressions.pick(List.of("ints.length", "40", "300")), "i",
				this.bodies.of("return", type)));
	}

	private String folded() {
		Type type = this.expressions.pick(List.of(Type.values()));
		return reduced(type, this.reductions.folded(type, this.expressions.pick(List.of("floats.length", "257", "2")),
				"i", this.expressions.of(type, 2, IN_LAMBDA)));
	}

	private String reduced(Type type, String reduction) {
		return "{ %s %s = %s; }".formatted(COPIES, this.expressions.pick(OUTSIDE.of(type)), reduction);
	}

	/** What a lambda has from outside: a record, an array, or a method. */
	private String captured() {
		String loop = this.expressions.pick(List.of(
				"Parallel.range(outInts.length, (i) -> outInts[i] = both.number() ^ %s);"
					.formatted(this.expressions.of(Type.INT, 1, IN_LAMBDA)),
				"e = Parallel.sumDouble(doubles.length, (i) -> larger(both, new Both(i, %s)).real());"
					.formatted(this.expressions.of(Type.DOUBLE, 2, IN_LAMBDA)),
				"a = Parallel.maxInt(100, Called::digits);", "b = Parallel.minInt(bytes.length, (i) -> bytes[i]);",
				"c = Parallel.sumLong(outInts.length, (i) -> chosen[i]);"));
		return "{ %s final Both both = new Both(%s, %s); final int[] chosen = (%s) ? outInts : new int[outInts.length]; %s }"
			.formatted(COPIES, this.expressions.of(Type.INT, 2, OUTSIDE), this.expressions.of(Type.DOUBLE, 2, OUTSIDE),
					this.expressions.condition(1, OUTSIDE), loop);
	}

	/** A switch that falls through. */
	private String selected() {
		String on = this.expressions.pick(List.of("%s & 3", "%s %% 3", "+%s"))
			.formatted(this.expressions.of(Type.INT, 1, OUTSIDE));
		return "switch (%s) { case 0: %s case 1: %s break; case 31: throw new IllegalArgumentException(\"31\"); case -1: %s default: %s }"
			.formatted(on, assignment(OUTSIDE), assignment(OUTSIDE), assignment(OUTSIDE), assignment(OUTSIDE));
	}

	/** What is done with a lock. */
	private String exclusive() {
		return "{ %s final Both both = Parallel.%s(this.lock, () -> { if (%s) { throw new IllegalStateException(\"locked\"); } this.count += %s; return new Both(this.count, %s); }); a ^= both.number(); e += both.real(); }"
			.formatted(COPIES, this.expressions.pick(List.of("exclusive", "shared")),
					this.expressions.condition(2, IN_SUPPLIER), this.expressions.of(Type.INT, 1, IN_SUPPLIER),
					this.expressions.of(Type.DOUBLE, 2, IN_SUPPLIER));
	}

	/** Loops in loops, and one whose end is not known before. */
	private String counted() {
		return this.expressions.pick(List.of(
				"all: for (int k = 0; k < 7; k++) { for (int m = k; m < 5; m++) { %s if (%s) { continue all; } if (%s) { break all; } } }",
				"for (int k = 40; k > 0; k /= 2) { %s if (%s && %s) { break; } }",
				"{ int k = 0; do { %s k++; } while (k < 9 && (%s || %s)); }",
				"for (int k = 0; k < 3; k++) { %s b = (%s && %s) ? b + k : b - 1; }"))
			.formatted(assignment(IN_LOOP), this.expressions.condition(1, IN_LOOP),
					this.expressions.condition(1, IN_LOOP));
	}

	/** The text of a class. */
	static String source(String name, List<String> statements) {
		return """
				package io.ringkernel.test.ptx.fuzz.generated;
				import java.util.Arrays;
				import java.util.Optional;
				import java.util.OptionalInt;
				import java.util.function.Function;
				import java.util.function.IntPredicate;
				import java.util.function.IntUnaryOperator;
				import io.ringkernel.Parallel;
				import io.ringkernel.test.ptx.fuzz.Called;
				import io.ringkernel.test.ptx.fuzz.Called.Both;
				import io.ringkernel.test.ptx.fuzz.Dispatched.*;
				import io.ringkernel.test.ptx.fuzz.Input;
				import io.ringkernel.test.ptx.fuzz.Output;
				import static io.ringkernel.compiler.corpus.HalfReference.*;
				import static io.ringkernel.test.ptx.fuzz.Called.*;
				public class %s extends Base {
					private final int[] counts = { 7, 0, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 };
					private final int[] lock = new int[1];
					private int count = 3;
					private float sum;
					@Override
					public int cost(int value) {
						return super.cost(value) * 3 + value;
					}
					private int hidden(int value) {
						return value - 5;
					}
					@Override
					public Output handle(Input in) {
						int a = in.a(), b = in.b();
						long c = in.c();
						float d = in.d();
						double e = in.e();
						boolean flag = in.flag();
						Input.Mode mode = in.mode();
						Input.Mode nowMode = mode;
						OptionalInt maybe = in.maybe();
						OptionalInt nowMaybe = maybe;
						Input.Point point = in.point();
						int[] ints = in.ints();
						float[] floats = in.floats();
						double[] doubles = in.doubles();
						byte[] bytes = in.bytes();
						String text = in.text();
						String nowText = text;
						int[] outInts = new int[ints.length];
						float[] outFloats = new float[floats.length + doubles.length];
						long[] outLongs = new long[bytes.length];
						%s
						return new Output(a, b, c, d, e, nowMode, nowMaybe, outInts, outFloats, outLongs, nowText);
					}
				}
				""".formatted(name, String.join("\n\t\t", statements));
	}

}
